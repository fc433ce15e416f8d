import { WORLDS } from '#kernel/world.ts'
import { type App, writeScopes } from '#modules/apps/index.ts'
import { type Because, narrowInstallations } from '#modules/installations/index.ts'
import { inCatalogueOrder, mayCarry, SCOPE_CATALOGUE, type ScopeName } from '#modules/scopes/index.ts'
import { revokeBeyond } from '#modules/tokens/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'

/** "The response reports installs narrowed, installs disconnected and tokens revoked." */
export type Consequences = {
  readonly installs_narrowed: number
  readonly installs_disconnected: number
  /** Access tokens. */
  readonly tokens_revoked: number
  readonly refresh_tokens_revoked: number
}

export type TakingAway = {
  /** As it is under the lock of this transaction. */
  readonly app: App
  /** What leaves the list of declared scopes. */
  readonly undeclared: readonly string[]
  /** What nothing may carry any longer by that name. */
  readonly removed: readonly ScopeName[]
  /** In whose name installations end: `partner`, or the platform's own. */
  readonly role: string
}

/**
 * "Takes effect immediately in one transaction. The scope is removed from the app and every key; every active
 * installation loses it, and an installation left with no scopes is revoked together with its tokens; every access token
 * whose scopes are not a subset of the app's new set is revoked."
 *
 * The app's row is held for update: who issues has finished and is seen by the statements that follow, or waits for us
 * and finds another revision. Then installations, codes and families, access tokens, in this order, world by world.
 */
export async function takeAway(tx: PlatformTx, taking: TakingAway, because: Because): Promise<Consequences> {
  const { app, removed, role } = taking
  const declared = declaredAfter(taking)
  await writeScopes(tx, app.id, declared)
  const keep = mayCarry(declared)
  const bounds = { app: app.id, keep: [...keep], removed }
  const beyond = { ...bounds, removed: removed.filter((name) => !isStillCovered(name, keep)) }
  const total = { installs_narrowed: 0, installs_disconnected: 0, tokens_revoked: 0, refresh_tokens_revoked: 0 }
  for (const world of WORLDS) {
    const { narrowed, disconnected, tokens } = await narrowInstallations(tx, { ...bounds, world, role }, because)
    const revoked = await revokeBeyond(tx, world, beyond)
    total.installs_narrowed += narrowed
    total.installs_disconnected += disconnected
    total.tokens_revoked += tokens.accessTokens + revoked.accessTokens
    total.refresh_tokens_revoked += tokens.refreshTokens + revoked.refreshTokens
  }
  return total
}

/** Of a token that carries an alias the replacement is compared: it stays valid while the replacement is declared. */
function isStillCovered(name: ScopeName, keep: ReadonlySet<ScopeName>): boolean {
  return SCOPE_CATALOGUE[name].alias && keep.has(name)
}

export function declaredAfter({ app, undeclared }: Pick<TakingAway, 'app' | 'undeclared'>): readonly ScopeName[] {
  return inCatalogueOrder(app.scopes.filter((name) => !undeclared.includes(name)))
}

import type { World } from '#kernel/world.ts'
import {
  DEFAULT_SCOPE,
  inCatalogueOrder,
  isScopeName,
  SCOPE_CATALOGUE,
  type ScopeName,
  withoutPublic,
} from '#modules/scopes/index.ts'
import type { RevokedTokens } from '#modules/tokens/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { Because } from './because.ts'
import { endInstallations } from './end-installations.ts'
import type { Installation } from './installation.ts'
import { type Bounds, lockBeyond, setScopesIn } from './platform-store.ts'
import { onPlatform } from './reach.ts'
import { sameScopes } from './same-scopes.ts'

export type Narrowing = Bounds & {
  readonly world: World
  /** Who removed the scope: `partner`, or the platform's own name. */
  readonly role: string
}

export type NarrowedInstallations = {
  readonly narrowed: number
  readonly disconnected: number
  /** Of those that were disconnected. */
  readonly tokens: RevokedTokens
}

/**
 * "Every active installation loses it, and an installation left with no scopes is revoked together with its tokens."
 * The caller holds the app's row; what other tokens carry too much it revokes after this.
 */
export async function narrowInstallations(
  tx: PlatformTx,
  { world, role, ...bounds }: Narrowing,
  because: Because,
): Promise<NarrowedInstallations> {
  const beyond = await lockBeyond(tx, world, bounds)
  const after = beyond
    .map((installation) => ({ installation, scopes: left(installation, bounds) }))
    .filter(({ installation, scopes }) => !sameScopes(scopes, installation.scopes))
  const narrowed = after
    .filter(({ scopes }) => scopes.length > 0)
    .map(({ installation, scopes }) => ({ id: installation.id, scopes }))
  await setScopesIn(tx, world, narrowed)
  const installations = after.filter(({ scopes }) => scopes.length === 0).map(({ installation }) => installation)
  const tokens = await endInstallations(onPlatform(tx, world), { installations, move: 'revoke', role }, because)
  return { narrowed: narrowed.length, disconnected: installations.length, tokens }
}

/** A default grant never rested on a declaration, so read:profile stays in it, unless that is what was removed. */
function left({ scopes, byDefault }: Installation, { keep, removed }: Bounds): readonly string[] {
  const renamed = withoutPublic(scopes).map((name) =>
    removed.includes(name) ? (replacementOf(name, keep) ?? name) : name,
  )
  return inCatalogueOrder(renamed).filter(
    (name) => !removed.includes(name) && (keep.includes(name) || (byDefault && name === DEFAULT_SCOPE)),
  )
}

/**
 * "A token, install or app holding a retired name is treated as holding the companies scope." When the app drops the alias
 * and keeps the replacement, the installation keeps its rights under the replacement's name.
 */
function replacementOf(name: string, keep: readonly string[]): ScopeName | null {
  const entry = isScopeName(name) ? SCOPE_CATALOGUE[name] : null
  const replacement = entry?.alias === true ? entry.replacedBy : null
  return replacement !== null && keep.includes(replacement) ? replacement : null
}

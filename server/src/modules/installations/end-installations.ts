import type { Id } from '#kernel/ids.ts'
import { transition } from '#kernel/state-machine.ts'
import type { World } from '#kernel/world.ts'
import type { AuditEntry } from '#modules/audit/index.ts'
import { closure, inCatalogueOrder, SCOPE_CATALOGUE, type ScopeName, type ScopeNames } from '#modules/scopes/index.ts'
import type { RevokedTokens } from '#modules/tokens/index.ts'
import type { Because } from './because.ts'
import type { Installation } from './installation.ts'
import { installationEvent } from './installation-event.ts'
import { INSTALLATION_MACHINE, type InstallationAlso } from './installation-states.ts'
import { SHOWING_INVESTORS } from './pii-grant.ts'
import type { Reach } from './reach.ts'

export type Ending = {
  /** Locked by whoever calls, and looked at after that. */
  readonly installations: readonly Installation[]
  readonly move: 'revoke' | 'supersede'
  readonly role: string
  /** What the app is granted instead, where one is superseded. */
  readonly kept?: readonly string[]
}

/**
 * Carries out a row of the table for each: the new state and its time, what stops with it, its event, and what the app has
 * to delete now. Whoever revokes, and however, comes by here.
 */
export async function endInstallations(reach: Reach, ending: Ending, because: Because): Promise<RevokedTokens> {
  const { installations, move, role, kept = [] } = ending
  if (installations.length === 0) return { accessTokens: 0, refreshTokens: 0 }
  const from = installations.every(({ state }) => state === 'active') ? 'active' : 'revoked'
  const { events, also } = transition(INSTALLATION_MACHINE, { from, move })
  const ids = installations.map(({ id }) => id)
  await reach.end(ids, { role, superseded: move === 'supersede' })
  const stopped = await stopTokens(reach, ids, also)
  if (also.includes('cancel_queued_deliveries')) await reach.tell(because, ids)
  const ended = await reach.find(ids)
  for (const name of events) {
    const told = ended.map((installation) => installationEvent(name, installation))
    await reach.append(told, because)
  }
  await reach.record(removalsDue(reach.world, ended, kept))
  return stopped
}

function removalsDue(world: World, ended: readonly Installation[], kept: readonly string[]): readonly AuditEntry[] {
  return ended.flatMap((installation) => {
    const data = dataDue(installation, kept)
    return data.length === 0 ? [] : [removalDue(world, installation, data)]
  })
}

/**
 * "Superseding stops the old one's refresh tokens … but lets its access tokens run out; every other revocation kills
 * all at once, those of superseded connections of the same user and app included." What runs out is what the earlier
 * consent gave the user's app to act with; "a token whose installation is revoked returns 401", which one that was minted
 * on it would otherwise never do.
 */
async function stopTokens(
  reach: Reach,
  ids: readonly Id<'installation'>[],
  also: readonly InstallationAlso[],
): Promise<RevokedTokens> {
  if (!also.includes('stop_access_tokens')) return reach.stopTokens(ids, 'all_but_user_access')
  return reach.stopTokens([...ids, ...(await reach.superseded(ids))], 'all')
}

/** What an app has to delete, and by which of its scopes it came by it. */
type DataDue = { readonly kind: 'investor_pii' | 'user_data'; readonly scopes: readonly ScopeName[] }

type Held = Pick<Installation, 'target' | 'scopes' | 'takenScopes'>

/**
 * "Data under read:investors:pii … must be deleted when the installation is revoked. Data a user authorized about
 * themselves is … deleted when they revoke access." Of all that was ever granted, what was taken away before the end
 * included. `kept` is what whoever revokes grants again in the same breath: with other scopes a user revokes one
 * connection for the sake of another, and takes back only what that one lacks.
 */
export function dataDue({ target, scopes, takenScopes }: Held, kept: ScopeNames = []): readonly DataDue[] {
  const still = closure(kept)
  const lost = inCatalogueOrder([...scopes, ...takenScopes]).filter((name) => !still.has(name))
  const due: readonly DataDue[] = [
    { kind: 'investor_pii', scopes: lost.filter(showsInvestors) },
    { kind: 'user_data', scopes: target.type === 'user' ? lost.filter(isTheirs) : [] },
  ]
  return due.filter((each) => each.scopes.length > 0)
}

const showsInvestors = (name: ScopeName) => SHOWING_INVESTORS.includes(name)

/** What is everybody's, or the app's own, is not about the user; what is about others is told apart. */
function isTheirs(name: ScopeName): boolean {
  const { group, concerns } = SCOPE_CATALOGUE[name]
  return group !== 'public' && concerns !== 'app' && !showsInvestors(name)
}

/**
 * For the app's history: which installation, since when, which data. The event has no field for it, and none is added; its
 * `scopes` and `target` say the same of what was held at the end. Nobody did this: it follows.
 */
function removalDue(world: World, ended: Installation, data: readonly DataDue[]): AuditEntry {
  const { id, appId, target, revokedAt, revokedByRole } = ended
  const details = {
    installation: id,
    mode: world,
    target: { type: target.type, id: target.id },
    since: revokedAt,
    revoked_by: { role: revokedByRole },
    data,
  }
  return { actor: 'system', action: 'installation.removal_due', subject: appId, details }
}

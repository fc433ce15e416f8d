import { type AuditEntry, recordAudits, recordAuditsIn } from '#access/audit/index.ts'
import {
  closure,
  inCatalogueOrder,
  SCOPE_CATALOGUE,
  type ScopeName,
  type ScopeNames,
  withoutPublic,
} from '#access/scopes/index.ts'
import { type Revocation, type RevokedTokens, revokeTokensIn, revokeTokensOf } from '#access/tokens/index.ts'
import { appendEvent, appendEventsInto, type NewEvent, type Occasion } from '#events/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { transition } from '#kernel/state-machine.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { SHOWING_INVESTORS } from './grant-rules.ts'
import { INSTALLATION_MACHINE, type Installation, type InstallationAlso, installationEvent } from './installation.ts'
import { endRowsIn, findInstallationsIn, findSupersededIn } from './platform-store.ts'
import { endRows, findInstallations, findSuperseded, insertInstallation, type NewInstallation } from './store.ts'

type Ids = readonly Id<'installation'>[]

/**
 * A hook of another module. `main` passes it, because that module depends on this one. It runs after installations are revoked, in the same
 * transaction, for example to cancel their queued deliveries. `inWorld` runs in a world's transaction, `onPlatform` in a platform
 * transaction over both worlds.
 */
export type OnRevoked = {
  readonly inWorld: (tx: Tx, ids: Ids) => Promise<void>
  readonly onPlatform: (tx: PlatformTx, world: World, ids: Ids) => Promise<void>
}

/**
 * The cause of a change to an installation, and the hooks to run on revocation. It contains no time: the time of the change is the world's
 * time after the locks are taken. So an installation cannot end before it began.
 */
export type ChangeContext = Pick<Occasion, 'cause' | 'caused'> & { readonly onRevoked: readonly OnRevoked[] }

/** The context of a request: its id is the cause of every event that follows. */
export function changeContext(requestId: string, { onRevoked }: Pick<ChangeContext, 'onRevoked'>): ChangeContext {
  return { cause: requestId, caused: [], onRevoked }
}

/**
 * The writes that end installations. There are two implementations, for a world's transaction and for a platform transaction, so
 * that the rules for ending installations are written only once.
 */
type InstallationWrites = {
  readonly world: World
  readonly end: (ids: Ids, how: { readonly role: string; readonly superseded: boolean }) => Promise<void>
  readonly find: (ids: Ids) => Promise<Installation[]>
  /** The superseded earlier connections of the same users with the same apps. */
  readonly superseded: (ids: Ids) => Promise<Ids>
  readonly stopTokens: (ids: Ids, which: Revocation['which']) => Promise<RevokedTokens>
  readonly append: (events: readonly NewEvent[], context: ChangeContext) => Promise<void>
  readonly record: (entries: readonly AuditEntry[]) => Promise<void>
  readonly notifyRevoked: (context: ChangeContext, ids: Ids) => Promise<void>
}

export function inWorld(tx: Tx): InstallationWrites {
  return {
    world: tx.world,
    end: (ids, how) => endRows(tx, ids, how),
    find: (ids) => findInstallations(tx, ids),
    superseded: (ids) => findSuperseded(tx, ids),
    stopTokens: (installations, which) => revokeTokensOf(tx, { installations, which }),
    append: async (events, context) => {
      for (const event of events) await appendEvent(tx, event, { ...context, occurredAt: event.occurredAt })
    },
    record: (entries) => recordAuditsIn(tx, entries),
    notifyRevoked: async ({ onRevoked }, ids) => {
      for (const hook of onRevoked) await hook.inWorld(tx, ids)
    },
  }
}

export function onPlatform(tx: PlatformTx, world: World): InstallationWrites {
  return {
    world,
    end: (ids, { role }) => endRowsIn(tx, world, { ids, role }),
    find: (ids) => findInstallationsIn(tx, world, ids),
    superseded: (ids) => findSupersededIn(tx, world, ids),
    stopTokens: (installations, which) => revokeTokensIn(tx, world, { installations, which }),
    append: (events, context) => appendEventsInto(tx, { world, events }, context),
    record: (entries) => recordAudits(tx, entries),
    notifyRevoked: async ({ onRevoked }, ids) => {
      for (const hook of onRevoked) await hook.onPlatform(tx, world, ids)
    },
  }
}

export type Creating = Omit<NewInstallation, 'id' | 'state'>

/** Inserts the installation and its event. Null if the app already has an active installation on the target. */
export async function createInstallation(tx: Tx, made: Creating, context: ChangeContext): Promise<Installation | null> {
  const { to: state, events } = transition(INSTALLATION_MACHINE, { from: 'none', move: 'create' })
  const id = newId('installation')
  const scopes = withoutPublic(made.scopes)
  if (!(await insertInstallation(tx, { ...made, scopes, id, state }))) return null
  const [installation] = await findInstallations(tx, [id])
  if (installation === undefined) throw new Error('an installation that was just created cannot be found')
  const newEvents = events.map((name) => installationEvent(name, installation))
  await inWorld(tx).append(newEvents, context)
  return installation
}

type Ending = {
  /** The installations; the caller locked their rows before it read them. */
  readonly installations: readonly Installation[]
  readonly move: 'revoke' | 'supersede'
  readonly role: string
  /** For `supersede`: the scopes of the new connection. */
  readonly stillGranted?: readonly string[]
}

/**
 * Applies one row of the state table to each installation: writes the new state and time, stops tokens, runs the hooks,
 * and records the event and the data that the app must delete. Every revocation goes through this function.
 */
export async function endInstallations(
  writes: InstallationWrites,
  ending: Ending,
  context: ChangeContext,
): Promise<RevokedTokens> {
  const { installations, move, role, stillGranted = [] } = ending
  if (installations.length === 0) return { accessTokens: 0, refreshTokens: 0 }
  const from = installations.every(({ state }) => state === 'active') ? 'active' : 'revoked'
  const { events, also } = transition(INSTALLATION_MACHINE, { from, move })
  const ids = installations.map(({ id }) => id)
  await writes.end(ids, { role, superseded: move === 'supersede' })
  const stopped = await stopTokens(writes, ids, also)
  if (also.includes('cancel_queued_deliveries')) await writes.notifyRevoked(context, ids)
  const ended = await writes.find(ids)
  for (const name of events) {
    const newEvents = ended.map((installation) => installationEvent(name, installation))
    await writes.append(newEvents, context)
  }
  await writes.record(removalsDue(writes.world, ended, stillGranted))
  return stopped
}

function removalsDue(
  world: World,
  ended: readonly Installation[],
  stillGranted: readonly string[],
): readonly AuditEntry[] {
  return ended.flatMap((installation) => {
    const data = dataDue(installation, stillGranted)
    return data.length === 0 ? [] : [removalDue(world, installation, data)]
  })
}

/**
 * "Superseding stops the old one's refresh tokens … but lets its access tokens run out; every other revocation kills all at once, those of
 * superseded connections of the same user and app included." When a connection is superseded, only its user access tokens keep working until
 * they expire. Its minted tokens end at once, because they may never expire: "a token whose installation is revoked returns 401".
 */
async function stopTokens(
  writes: InstallationWrites,
  ids: readonly Id<'installation'>[],
  also: readonly InstallationAlso[],
): Promise<RevokedTokens> {
  if (!also.includes('stop_access_tokens')) return writes.stopTokens(ids, 'all_but_user_access')
  return writes.stopTokens([...ids, ...(await writes.superseded(ids))], 'all')
}

/** Data that an app has to delete, and the scopes through which it got the data. */
type DataDue = { readonly kind: 'investor_pii' | 'user_data'; readonly scopes: readonly ScopeName[] }

type GrantedInstallation = Pick<Installation, 'target' | 'scopes' | 'takenScopes'>

/**
 * "Data under read:investors:pii … must be deleted when the installation is revoked. Data a user authorized about themselves is … deleted
 * when they revoke access." Every scope that was ever granted counts, even if it was removed before the end. `stillGranted` are the scopes
 * of the connection that supersedes this one: data under these scopes need not be deleted.
 */
export function dataDue(
  { target, scopes, takenScopes }: GrantedInstallation,
  stillGranted: ScopeNames = [],
): readonly DataDue[] {
  const still = closure(stillGranted)
  const lost = inCatalogueOrder([...scopes, ...takenScopes]).filter((name) => !still.has(name))
  const due: readonly DataDue[] = [
    { kind: 'investor_pii', scopes: lost.filter(showsInvestors) },
    { kind: 'user_data', scopes: target.type === 'user' ? lost.filter(isTheirs) : [] },
  ]
  return due.filter((each) => each.scopes.length > 0)
}

const showsInvestors = (name: ScopeName) => SHOWING_INVESTORS.includes(name)

/** Public data and the app's own data are not about the user; investor data is listed separately. */
function isTheirs(name: ScopeName): boolean {
  const { group, concerns } = SCOPE_CATALOGUE[name]
  return group !== 'public' && concerns !== 'app' && !showsInvestors(name)
}

/**
 * The entry in the app's history that says which data the app must delete; the revocation event has no field for this. The
 * actor is `system`, because the duty follows from the revocation.
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

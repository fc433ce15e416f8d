import {
  type App,
  type AppProgram,
  deleteProgram,
  EDITORS,
  findProgram,
  lockLiveApp,
  type ProgramName,
  programScopes,
  requireTeam,
  type Seat,
  writeScopes,
} from '#access/apps/index.ts'
import { recordAudit } from '#access/audit/index.ts'
import { type ChangeContext, narrowInstallations } from '#access/installations/index.ts'
import {
  closure,
  inCatalogueOrder,
  mayCarry,
  rejectStillImplied,
  rejectUnselectable,
  SCOPE_CATALOGUE,
  type ScopeName,
} from '#access/scopes/index.ts'
import { revokeExceeding } from '#access/tokens/index.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'

export type Removal = Consequences & {
  /** The scopes that the app declares now. */
  readonly scopes: readonly ScopeName[]
  readonly removed: readonly ScopeName[]
}

/** "Removing a non-self-serve scope is allowed, but only the platform can add it back." */
export async function removeScopes(
  tx: PlatformTx,
  { seat, scopes }: { readonly seat: Seat; readonly scopes: readonly string[] },
  context: RemovalContext,
): Promise<Removal> {
  await requireTeam(tx, seat, EDITORS)
  const app = await lockLiveApp(tx, seat.app, 'remove_scopes')
  rejectBlocked(app)
  return remove(tx, { app, scopes, actor: seat.account, role: 'partner' }, context)
}

/** An operator of the platform: `role` is the platform's own name. */
type ByOperator = { readonly app: Id<'app'>; readonly actor: string; readonly role: string }

/** Removes scopes for the platform, even if the app is suspended or disabled. */
export async function removeScopesByOperator(
  tx: PlatformTx,
  { by, scopes }: { readonly by: ByOperator; readonly scopes: readonly string[] },
  context: RemovalContext,
): Promise<Removal> {
  const app = await lockLiveApp(tx, by.app, 'remove_scopes')
  return remove(tx, { ...by, app, scopes }, context)
}

type Removing = { readonly app: App; readonly scopes: readonly string[]; readonly actor: string; readonly role: string }

/** "Removals never change approval state or investor-PII approval." */
async function remove(tx: PlatformTx, removing: Removing, context: RemovalContext): Promise<Removal> {
  const { app, scopes, actor, role } = removing
  const removed = removable(scopes, app.scopes)
  const consequences = await removeEverywhere(tx, { app, undeclared: removed, removed, role }, context)
  const details = { removed, ...consequences }
  await recordAudit(tx, { actor, action: 'app.scopes_removed', subject: app.id, details })
  return { scopes: declaredAfter({ app, undeclared: removed }), removed, ...consequences }
}

/** Rejects a removal that is not allowed. */
export function removable(scopes: readonly string[], declared: readonly string[]): readonly ScopeName[] {
  rejectStillImplied(scopes, declared)
  rejectUndeclared(scopes, declared)
  return inCatalogueOrder(scopes)
}

/** Only declared scopes can be removed, and read:public never. */
function rejectUndeclared(removed: readonly string[], declared: readonly string[]): void {
  const rejected = removed.filter((name) => name === 'read:public' || !declared.includes(name))
  if (rejected.length === 0) return
  throw new ApiError('invalid_scopes', {
    public: `Nothing was changed: ${rejected.join(', ')} cannot be removed from this app.`,
    remediation: 'Name only scopes that the app declares. Every app keeps read:public.',
    details: { scopes: rejected },
  })
}

export type Addition = { readonly scopes: readonly ScopeName[]; readonly added: readonly ScopeName[] }

/**
 * "Adding: allowed only while the app is active and only for self-serve scopes … Saving writes the scopes to the app and
 * every key (test and live) and records the change in the audit history. Existing user tokens, refresh tokens and
 * installations keep exactly what they had." Scopes that the app already declares may be named again and stay.
 */
export async function addScopes(tx: PlatformTx, seat: Seat, scopes: readonly string[]): Promise<Addition> {
  await requireTeam(tx, seat, EDITORS)
  const app = await lockLiveApp(tx, seat.app, 'add_scopes')
  rejectBlocked(app)
  const addition = additionTo(app, scopes)
  const { added } = addition
  if (added.length > 0) {
    await writeScopes(tx, app.id, addition.scopes)
    await recordAudit(tx, { actor: seat.account, action: 'app.scopes_added', subject: app.id, details: { added } })
  }
  return addition
}

/** Rejects an addition that is not allowed. */
export function additionTo(app: Pick<App, 'scopes'>, scopes: readonly string[]): Addition {
  const wanted = scopes.filter((name) => !app.scopes.includes(name))
  rejectUnselectable(wanted)
  return { scopes: inCatalogueOrder([...app.scopes, ...wanted]), added: inCatalogueOrder(wanted) }
}

/** "The response reports installs narrowed, installs disconnected and tokens revoked." */
type Consequences = {
  readonly installs_narrowed: number
  readonly installs_disconnected: number
  /** Access tokens that were revoked. */
  readonly tokens_revoked: number
  readonly refresh_tokens_revoked: number
  /** Enabled webhook endpoints that were disabled, because they were bound to an installation that ended. */
  readonly endpoints_disabled: number
}

/**
 * Counts the app's enabled webhook endpoints. `main` passes the implementation of the webhooks module, because this module must
 * not import that one.
 */
export type CountEnabledEndpoints = (queries: PlatformQueries, app: Id<'app'>, world: World) => Promise<number>

export type RemovalContext = ChangeContext & { readonly countEnabledEndpoints: CountEnabledEndpoints }

type ScopeRemoval = {
  /** The app, which this transaction has locked and then read. */
  readonly app: App
  /** The scopes that the app no longer declares after the change. */
  readonly undeclared: readonly string[]
  /** The scopes that no token or installation may have after the change. */
  readonly removed: readonly ScopeName[]
  /** The role that ends installations: `partner`, or the platform's own name. */
  readonly role: string
}

/**
 * "Takes effect immediately in one transaction. The scope is removed from the app and every key; every active installation loses it, and an
 * installation left with no scopes is revoked together with its tokens; every access token whose scopes are not a subset of the app's new
 * set is revoked."
 *
 * The app's row is locked for update: a transaction that issues a token has either committed, so that its token is found here, or waits and
 * then finds another revision. Lock order after that, per world: installations, codes and families, access tokens.
 */
async function removeEverywhere(tx: PlatformTx, removal: ScopeRemoval, context: RemovalContext): Promise<Consequences> {
  const { app, removed, role } = removal
  const declared = declaredAfter(removal)
  await writeScopes(tx, app.id, declared)
  const { bounds, tokenBounds } = boundsOf(app.id, { declared, removed })
  const total = {
    ...{ installs_narrowed: 0, installs_disconnected: 0, tokens_revoked: 0, refresh_tokens_revoked: 0 },
    endpoints_disabled: 0,
  }
  for (const world of WORLDS) {
    const enabled = await context.countEnabledEndpoints(tx, app.id, world)
    const { narrowed, disconnected, tokens } = await narrowInstallations(tx, { ...bounds, world, role }, context)
    const revoked = await revokeExceeding(tx, world, tokenBounds)
    total.installs_narrowed += narrowed
    total.installs_disconnected += disconnected
    total.tokens_revoked += tokens.accessTokens + revoked.accessTokens
    total.refresh_tokens_revoked += tokens.refreshTokens + revoked.refreshTokens
    total.endpoints_disabled += enabled - (await context.countEnabledEndpoints(tx, app.id, world))
  }
  return total
}

type Remaining = { readonly declared: readonly ScopeName[]; readonly removed: readonly ScopeName[] }

/** The scopes that installations and tokens may still have. */
export function boundsOf(app: Id<'app'>, { declared, removed }: Remaining) {
  const allowed = mayCarry(declared)
  const bounds = { app, allowed: [...allowed], removed }
  return { bounds, tokenBounds: { ...bounds, removed: removed.filter((name) => !isStillCovered(name, allowed)) } }
}

/** Whether a token with this alias stays valid: yes, while the app declares the alias's replacement. */
function isStillCovered(name: ScopeName, allowed: ReadonlySet<ScopeName>): boolean {
  return SCOPE_CATALOGUE[name].alias && allowed.has(name)
}

function declaredAfter({ app, undeclared }: Pick<ScopeRemoval, 'app' | 'undeclared'>): readonly ScopeName[] {
  return inCatalogueOrder(app.scopes.filter((name) => !undeclared.includes(name)))
}

/**
 * "Refused with scope_change_blocked when the app is suspended or disabled": adding and removing by the app's team. The
 * platform may remove scopes at any time.
 */
export function rejectBlocked({ state }: Pick<App, 'state'>): void {
  if (state === 'active') return
  throw new ApiError('scope_change_blocked', {
    public: `Nothing was changed: the app is ${state}, and its scopes cannot change until it is active.`,
    remediation: REMEDIATION[state],
    details: { status: state },
  })
}

const REMEDIATION: Readonly<Record<Exclude<App['state'], 'active'>, string>> = {
  suspended: 'Only the platform lifts a suspension: settle its reason with the platform first.',
  disabled: 'Enable the app, then change its scopes.',
}

/**
 * Removes the program's scopes from the app like other scopes. A scope that a remaining scope implies does not prevent the withdrawal: the
 * app no longer declares it, but tokens with it stay valid. If the program was only requested, declines the request and removes no scope.
 */
export async function withdrawProgram(
  tx: PlatformTx,
  { by, program }: { readonly by: ByOperator; readonly program: ProgramName },
  context: RemovalContext,
): Promise<Removal> {
  const app = await lockLiveApp(tx, by.app, 'withdraw_program')
  const membership = await findProgram(tx, app.id, program)
  if (membership === null) throw notFound(`app ${app.id} is not in the program ${program}`)
  await deleteProgram(tx, app.id, program)
  const undeclared = givenBy(membership, app)
  const scopes = declaredAfter({ app, undeclared })
  const implied = closure(scopes)
  const removed = undeclared.filter((name) => !implied.has(name))
  const consequences = await removeEverywhere(tx, { app, undeclared, removed, role: by.role }, context)
  const details = { program, tier: membership.tier, removed, ...consequences }
  await recordAudit(tx, { actor: by.actor, action: 'app.program_withdrawn', subject: app.id, details })
  return { scopes, removed, ...consequences }
}

function givenBy(membership: AppProgram, app: App): readonly ScopeName[] {
  if (membership.approved_at === null) return []
  return programScopes(membership).filter((name) => app.scopes.includes(name))
}

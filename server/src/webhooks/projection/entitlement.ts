import type { InstallationState, Target } from '#access/installations/index.ts'
import { closure, INVESTOR_PII, SCOPE_NAMES, type ScopeName, scopeOfAction } from '#access/scopes/index.ts'
import { type Audience, EVENT_CATALOGUE, type StoredEvent } from '#events/index.ts'
import type { Scope } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'

/** Why a delivery is canceled instead of sent. The history shows this word as `reason`. */
export type NotEntitled =
  | 'app_inactive'
  | 'not_concerned'
  | 'installation_revoked'
  | 'account_disabled'
  | 'scope_missing'
  | 'not_visible'
  | 'unsubscribed'
  | 'event_expired'

export type EntitlementQuestion = {
  readonly event: ConcerningEvent
  readonly app: ReceivingApp
  readonly installation: ReceivingInstallation | null
}

/**
 * "Entitlement (installation active, scopes, PII) is looked at again at every send." Returns the audience that the
 * receiver belongs to, or the reason why it may not get the event.
 */
export function entitlement({ event, app, installation }: EntitlementQuestion): Audience | NotEntitled {
  // "A violating app is suspended (credentials stop being accepted)": its deliveries stop too.
  if (!app.active) return 'app_inactive'
  const audience = concernedBy(event, { app, installation })
  if (audience === null) return 'not_concerned'
  if (installation === null) return audience
  // "The revocation's own event to app-wide endpoints still goes out."
  if (installation.state === 'revoked' && event.name !== 'installation.revoked') return 'installation_revoked'
  // "Disabling an account … cuts … deliveries through its own connections." The revocation's own event still goes out.
  if (installation.accountDisabled === true && installation.state === 'active') return 'account_disabled'
  if (!holdsScope(audience, event, installation.scopes)) return 'scope_missing'
  if (lacksIdentity(audience, event, installation)) return 'scope_missing'
  return isHiddenFrom(audience, event) ? 'not_visible' : audience
}

/** "While it is active and holds the scope it was proposed with": the scope of an intent is the scope of its action. */
function holdsScope({ through, scope }: Audience, { action }: ConcerningEvent, granted: readonly string[]): boolean {
  if (through !== 'proposer') return scope === null || givesScope(granted, scope)
  const proposedWith = scopeOfAction(action ?? '')
  return proposedWith !== null && givesScope(granted, proposedWith)
}

/**
 * "A change that only identity readers can see is … no investment.changed for callers without read:investors:pii." The
 * investor's own connections see the identity without the scope.
 */
function lacksIdentity(
  { through }: Audience,
  { identity_only }: ConcerningEvent,
  { scopes }: ReceivingInstallation,
): boolean {
  return identity_only && through === 'company' && !givesScope(scopes, INVESTOR_PII)
}

/**
 * "All data returned is bounded by what … the installing party could see", and "a hidden record by id is 404 to the
 * company": so the company gets no further events about a hidden investment, except the investment.changed that reports
 * its removal. (Canceled and converted investments leave the lists too, but with their own events.) The investor's own
 * connections still get events. The owner of a credited referral code gets no more than the company.
 */
function isHiddenFrom({ through }: Audience, { name, hidden }: ConcerningEvent): boolean {
  if (!hidden) return false
  return through === 'code_owner' || (through === 'company' && EVENT_CATALOGUE[name].group === 'investment')
}

type Receiver = { readonly app: ReceivingApp; readonly installation: ReceivingInstallation | null }

/**
 * Returns the audience entry of the catalogue that matches the installation or, without an installation, the app
 * itself; null if none matches. Checked at fan-out and again at every send, so that no row of the queue can send an
 * event to the wrong receiver.
 */
export function concernedBy(event: ConcerningEvent, receiver: Receiver): Audience | null {
  return EVENT_CATALOGUE[event.name].audience.find(({ through }) => leads(through, event, receiver)) ?? null
}

function leads(through: Audience['through'], event: ConcerningEvent, { app, installation }: Receiver): boolean {
  if (installation === null) return through === 'app' && event.app_id === app.id
  switch (through) {
    case 'company':
    case 'syndicate':
    case 'user':
      return isOn(installation, through, event)
    // "Through the app's active installation on the session's company …, else through the one that created the session."
    case 'session_company':
      return event.app_id === app.id && isOn(installation, 'company', event)
    case 'session_creator':
      return event.installation_id === installation.id && !isElsewhere(installation, event)
    // "Only through an installation on the investment's company."
    case 'code_owner':
      return event.app_id === app.id && isOn(installation, 'company', event)
    case 'itself':
      return event.installation_id === installation.id
    case 'proposer':
      return event.app_id === app.id && (event.installation_id === installation.id || isOn(installation, 'user', event))
    case 'app':
      return false
  }
}

function isElsewhere(installation: ReceivingInstallation, event: ConcerningEvent): boolean {
  return installation.target.type !== 'syndicate' && !isOn(installation, 'company', event)
}

type TargetType = ReceivingInstallation['target']['type']

function isOn({ target }: ReceivingInstallation, type: TargetType, event: ConcerningEvent): boolean {
  return target.type === type && target.id === event[`${type}_id`]
}

/**
 * All scope names that include a scope: itself, scopes that imply it, and retired names. Comparing the granted names
 * with these is faster than expanding the grant, and has the same result.
 */
export function namesGiving(scope: Scope): readonly ScopeName[] {
  return SCOPE_NAMES.filter((name) => closure([name]).has(scope as ScopeName))
}

export function givesScope(granted: readonly string[], scope: Scope): boolean {
  return granted.some((name) => giving(scope).has(name))
}

const namesByScope = new Map<Scope, ReadonlySet<string>>()

/** Caches the names, because every delivery needs those of one scope, and only a few scopes occur. */
function giving(scope: Scope): ReadonlySet<string> {
  const names = namesByScope.get(scope) ?? new Set<string>(namesGiving(scope))
  namesByScope.set(scope, names)
  return names
}

/** The fields of an event that decide its receivers. */
export type ConcerningEvent = Pick<StoredEvent, 'name'> & {
  readonly company_id: string | null
  readonly syndicate_id: string | null
  readonly user_id: string | null
  readonly installation_id: string | null
  readonly app_id: string | null
  /** Whether the event's investment is hidden from the company now; false for an event without an investment. */
  readonly hidden: boolean
  /** Whether the event is an investment.changed in which only identity fields changed. */
  readonly identity_only: boolean
  /** The action of an intent; null for other events. */
  readonly action?: string | null
  /** The installation that created the investment session; null for all other events. */
  readonly created_by?: string | null
}

export type ProjectedEvent = StoredEvent & ConcerningEvent

/** The installation that receives a delivery, in its current state. */
export type ReceivingInstallation = {
  readonly id: Id<'installation'>
  readonly state: InstallationState
  readonly target: { readonly type: Target['type']; readonly id: string }
  /** The granted scopes, without the scopes that they imply. */
  readonly scopes: readonly string[]
  /** Whether the installation is a user's own connection, and that user's account is disabled. */
  readonly accountDisabled?: boolean
}

/** The app that owns the endpoint. */
type ReceivingApp = {
  readonly id: Id<'app'>
  /** Whether the app is neither suspended nor disabled, and its organization has not ended. */
  readonly active: boolean
}

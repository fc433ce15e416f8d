import type { Scope } from '#kernel/caller.ts'
import type { EventData, EventGroup, EventName, EventNameOf } from './event-data.ts'

/**
 * A receiver of an event: the kind of installation, and the scope that it must hold. Retired and implied scopes are expanded
 * before the comparison.
 *
 * company          every installation on the company the event is about
 * user             every connection of the user who made the investment
 * syndicate        every installation on the syndicate the event is about
 * session_company  the app that created the session, through its installation on the session's company
 * session_creator  the installation that created the session; "other apps on the same company never receive them". Fan-out picks
 *                  one of these two for each event (webhooks/fan-out/plan-deliveries.ts)
 * code_owner       the one app whose referral code was credited, through its installation on the investment's company
 * itself           the installation the event is about
 * proposer         the installation that proposed the intent, or the proposing user's own connection with the same app; the
 *                  scope is the one that an app needs to propose the intent's action
 * app              no installation: the app itself; the envelope has no installation block
 */
export type Audience = {
  readonly through:
    | 'company'
    | 'user'
    | 'syndicate'
    | 'session_company'
    | 'session_creator'
    | 'code_owner'
    | 'itself'
    | 'proposer'
    | 'app'
  readonly scope: Scope | null
}

/** The endpoints of the app that receive the event: only app-wide ones, or also those bound to the installation. */
export type ReceivingEndpoints = 'app_wide' | 'app_wide_and_bound'

const ON_COMPANY: Audience = { through: 'company', scope: 'read:companies' }
/** "To apps a user connected to their own account for that user's investments (requires read:investments)." */
const CONNECTED_BY_INVESTOR: Audience = { through: 'user', scope: 'read:investments' }
/**
 * "To apps installed on the company (requires read:investments)": for the sync event; lifecycle events have another
 * audience.
 */
const SYNCING_COMPANY: Audience = { through: 'company', scope: 'read:investments' }
const ON_SYNDICATE: Audience = { through: 'syndicate', scope: 'read:syndicates' }
const SESSION_COMPANY: Audience = { through: 'session_company', scope: 'read:investment_sessions' }
const SESSION_CREATOR: Audience = { through: 'session_creator', scope: 'read:investment_sessions' }
/** "Delivered to the app the installation belongs to; no read scope needed." */
const ITSELF: Audience = { through: 'itself', scope: null }
/** "Only through an installation on the investment's company that grants read:attribution:anonymized." */
const CODE_OWNER: Audience = { through: 'code_owner', scope: 'read:attribution:anonymized' }
/** The scope depends on the intent's action, so it is looked up for each event (webhooks/projection/entitlement.ts). */
const PROPOSER: Audience = { through: 'proposer', scope: null }
/** "Every app with a referral code active that week … has no installation block." */
const APP: Audience = { through: 'app', scope: null }

type Dated = { [N in EventName]: 'occurred_at' extends keyof EventData<N> ? N : never }[EventName]

/**
 * The events whose data contains occurred_at. They are listed here, because workers need the list and do not load the schemas;
 * the compiler checks that the list and the schemas agree.
 */
const DATED: Readonly<Record<Dated, true>> = {
  'investment.created': true,
  'investment.reinstated': true,
  'investment.canceled': true,
  'investment.converted': true,
  'investment.amount_changed': true,
  'syndicate_member.invited': true,
  'syndicate_member.reinvited': true,
  'syndicate_member.applied': true,
  'syndicate_member.approved': true,
  'syndicate_member.joined': true,
  'syndicate_member.left': true,
  'syndicate_member.declined': true,
  'join_session.pending_approval': true,
  'join_session.completed': true,
  'join_session.rejected': true,
  'join_session.ineligible': true,
  'join_session.canceled': true,
  'join_session.expired': true,
  'installation.created': true,
  'installation.revoked': true,
  'intent.approved': true,
  'intent.rejected': true,
  'intent.expired': true,
  'intent.executed': true,
  'intent.failed': true,
}

function carriesOccurredAt(name: EventName): boolean {
  return Object.hasOwn(DATED, name)
}

export type CatalogueEntry = {
  readonly name: EventName
  readonly group: EventGroup
  readonly audience: readonly Audience[]
  readonly endpoints: ReceivingEndpoints
  /** Whether data contains occurred_at. */
  readonly occurredAt: boolean
  readonly description: string
  /** The first API version that has the event; null if every version has it. */
  readonly since: string | null
}

/**
 * Groups that older versions do not have. Apps with an older version cannot subscribe to them, and wildcards leave them
 * out.
 */
const SINCE: { readonly [G in EventGroup]?: string } = { intent: '2026-11-01' }

/** Every event, in the specification's order. The portal and the API reference show the descriptions. */
export const EVENT_CATALOGUE: { readonly [N in EventName]: CatalogueEntry } = {
  ...events('investment', [ON_COMPANY, CONNECTED_BY_INVESTOR])({
    'investment.created': 'An investor committed to an offering; in testing the waters, made a reservation.',
    'investment.reinstated': 'A canceled investment or reservation was reinstated within the grace period.',
    'investment.canceled': 'An investment or reservation was canceled, also by editing its amount to zero.',
    'investment.converted': 'An investment or reservation was converted into a successor.',
    'investment.amount_changed': 'The amount of an investment or reservation changed.',
    'investment.executed': 'Contracts were fully executed and the funds released to the company.',
  }),
  ...events('investment_sync', [SYNCING_COMPANY, CONNECTED_BY_INVESTOR])({
    'investment.changed': 'The published record of an investment changed: fetch it, or sync from the saved cursor.',
  }),
  ...events('offering', [ON_COMPANY])({
    'offering.opened': 'An offering accepts investments; in testing the waters, reservations.',
    'offering.closing': 'An offering stopped accepting investments; its funds await disbursement.',
    'offering.closed': 'The funds of an offering were disbursed; the raise is complete.',
    'offering.canceled': 'An offering was canceled; its investments are refunded.',
  }),
  ...events('investment_session', [SESSION_COMPANY, SESSION_CREATOR])({
    'investment_session.created': 'A hosted investment session was created.',
    'investment_session.started': 'The recipient opened the link and began the hosted flow.',
    'investment_session.completed': 'The recipient’s investment was created and confirmed.',
    'investment_session.expired': 'The session expired before it was completed.',
    'investment_session.canceled': 'The creating partner canceled the session.',
  }),
  ...events('syndicate_member', [ON_SYNDICATE])({
    'syndicate_member.invited': 'A person was invited to a syndicate; there is no membership yet.',
    'syndicate_member.reinvited': 'A person was invited to a syndicate again.',
    'syndicate_member.applied': 'A person applied for membership of a syndicate.',
    'syndicate_member.approved': 'A manager approved an application.',
    'syndicate_member.joined': 'A person became a member: approved, automatically, or from an invitation.',
    'syndicate_member.left': 'A member resigned, was removed, or their payment failed.',
    'syndicate_member.declined': 'An application was declined by a manager or withdrawn by the applicant.',
  }),
  ...events('join_session', [ON_SYNDICATE])({
    'join_session.pending_approval': 'The person finished the flow; a manager’s approval is required.',
    'join_session.completed': 'The person became a member.',
    'join_session.rejected': 'A manager rejected a session that awaited approval.',
    'join_session.ineligible': 'The person cannot become a member; ineligible_reason says why.',
    'join_session.canceled': 'The session was canceled before completion.',
    'join_session.expired': 'The session expired before completion.',
  }),
  ...events('installation', [ITSELF])({
    'installation.created': 'The app was installed on a company or syndicate, or a user connected it.',
  }),
  // "A bound endpoint stops with its installation", so only app-wide endpoints receive this event.
  ...events(
    'installation',
    [ITSELF],
    'app_wide',
  )({
    'installation.revoked':
      'An installation of the app was revoked; the app must delete the data of investors or of the user that the installation gave it.',
  }),
  ...events('referral', [CODE_OWNER])({
    'investment.referred': 'An investment was credited to one of the app’s referral codes.',
  }),
  ...events(
    'referral',
    [APP],
    'app_wide',
  )({
    'referral_cohorts.published': 'Last week’s referral cohorts are published; pull the statistics for the numbers.',
  }),
  ...events('intent', [PROPOSER])({
    'intent.approved': 'A person approved an intent that the app proposed; it is carried out next.',
    'intent.rejected': 'A person rejected an intent that the app proposed.',
    'intent.expired': 'An intent was not decided in time, or its subject no longer exists.',
    'intent.executed': 'An approved intent was carried out.',
    'intent.failed': 'An approved intent could not be carried out.',
  }),
}

export const EVENT_NAMES = Object.keys(EVENT_CATALOGUE) as readonly EventName[]

/**
 * "Every event except referral_cohorts.published is about something an app is installed on": its envelope names the
 * installation.
 */
export function carriesInstallation(name: EventName): boolean {
  return EVENT_CATALOGUE[name].audience.every(({ through }) => through !== 'app')
}

/** Makes a group's entries: from the properties that its events share, then from one sentence for each event. */
function events<G extends EventGroup>(
  group: G,
  audience: readonly Audience[],
  endpoints: ReceivingEndpoints = 'app_wide_and_bound',
): <N extends EventName & EventNameOf<G>>(descriptions: Readonly<Record<N, string>>) => Record<N, CatalogueEntry> {
  return <N extends EventName & EventNameOf<G>>(descriptions: Readonly<Record<N, string>>) => {
    const entry = (name: N): CatalogueEntry => ({
      name,
      group,
      audience,
      endpoints,
      occurredAt: carriesOccurredAt(name),
      description: descriptions[name],
      since: SINCE[group] ?? null,
    })
    const names = Object.keys(descriptions) as N[]
    return Object.fromEntries(names.map((name) => [name, entry(name)])) as Record<N, CatalogueEntry>
  }
}

/** `*`, or every event of a group: `investment.*`. The group is the part of a name before its dot. */
export type Wildcard = '*' | `${string}.*`

/** An entry of an endpoint's `events`. */
export type Subscription = EventName | Wildcard

const groupOf = (name: string) => name.slice(0, name.indexOf('.'))

export const WILDCARDS: readonly Wildcard[] = [
  '*',
  ...new Set(EVENT_NAMES.map((name): Wildcard => `${groupOf(name)}.*`)),
]

export const SUBSCRIPTIONS: readonly Subscription[] = [...EVENT_NAMES, ...WILDCARDS]

export function isWildcard(subscription: Subscription): subscription is Wildcard {
  return subscription === '*' || subscription.endsWith('.*')
}

/** Whether a subscription covers the event. A wildcard covers only events that the app's pinned version has. */
export function covers(subscription: Subscription, name: EventName, version: string): boolean {
  if (subscription === name) return true
  return (subscription === '*' || subscription === `${groupOf(name)}.*`) && isInCatalogue(name, version)
}

/** Versions are dates in one format, so they compare as text. */
export function isInCatalogue(name: EventName, version: string): boolean {
  const { since } = EVENT_CATALOGUE[name]
  return since === null || version >= since
}

/** The events that a list of subscriptions covers, in the order of the subscriptions, each once. */
export function coveredBy(subscriptions: readonly Subscription[], version: string): readonly EventName[] {
  return [
    ...new Set(
      subscriptions.flatMap((subscription) => EVENT_NAMES.filter((name) => covers(subscription, name, version))),
    ),
  ]
}

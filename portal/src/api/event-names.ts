import type { Schemas } from './client.ts'

/** What an endpoint can subscribe to: an event or a wildcard. */
export type Subscription = Schemas['AppWebhookEndpoint']['attributes']['events'][number]
export type EventName = Exclude<Subscription, `${string}*`>

// A record instead of a list, so that the type check fails here when the server adds an event.
const NAMES = {
  ...{
    'investment.created': true,
    'investment.reinstated': true,
    'investment.canceled': true,
    'investment.converted': true,
    'investment.amount_changed': true,
    'investment.executed': true,
    'investment.changed': true,
    'investment.referred': true,
  },
  ...{ 'offering.opened': true, 'offering.closing': true, 'offering.closed': true, 'offering.canceled': true },
  ...{
    'investment_session.created': true,
    'investment_session.started': true,
    'investment_session.completed': true,
    'investment_session.expired': true,
    'investment_session.canceled': true,
  },
  ...{
    'syndicate_member.invited': true,
    'syndicate_member.reinvited': true,
    'syndicate_member.applied': true,
    'syndicate_member.approved': true,
    'syndicate_member.joined': true,
    'syndicate_member.left': true,
    'syndicate_member.declined': true,
  },
  ...{
    'join_session.pending_approval': true,
    'join_session.completed': true,
    'join_session.rejected': true,
    'join_session.ineligible': true,
    'join_session.canceled': true,
    'join_session.expired': true,
  },
  ...{ 'installation.created': true, 'installation.revoked': true },
  ...{ 'referral_cohorts.published': true },
  ...{
    'intent.approved': true,
    'intent.rejected': true,
    'intent.expired': true,
    'intent.executed': true,
    'intent.failed': true,
  },
} as const satisfies Record<EventName, true>

/** Every event. The events of one group follow each other. */
export const EVENT_NAMES = Object.keys(NAMES) as readonly EventName[]

/** The groups of events. The first part of the names, such as `investment`, is the name of the group. */
export const EVENT_GROUPS: readonly (readonly [group: string, names: readonly EventName[]])[] = [
  ...Map.groupBy(EVENT_NAMES, (name) => name.split('.')[0] ?? name),
]

/** The values of an event filter: groups first, then single events. */
export const EVENT_SUBSCRIPTIONS: readonly Subscription[] = [
  ...EVENT_GROUPS.map(([group]) => `${group}.*` as Subscription),
  ...EVENT_NAMES,
]

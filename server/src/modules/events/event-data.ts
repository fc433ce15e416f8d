import type { Static } from 'typebox'
import { INSTALLATION_DATA, INSTALLATION_EXAMPLES } from './data/installation.ts'
import { INTENT_DATA, INTENT_EXAMPLES } from './data/intent.ts'
import { INVESTMENT_DATA, INVESTMENT_EXAMPLES } from './data/investment.ts'
import { INVESTMENT_SESSION_DATA, INVESTMENT_SESSION_EXAMPLES } from './data/investment-session.ts'
import { INVESTMENT_SYNC_DATA, INVESTMENT_SYNC_EXAMPLES } from './data/investment-sync.ts'
import { JOIN_SESSION_DATA, JOIN_SESSION_EXAMPLES } from './data/join-session.ts'
import { OFFERING_DATA, OFFERING_EXAMPLES } from './data/offering.ts'
import { REFERRAL_DATA, REFERRAL_EXAMPLES } from './data/referral.ts'
import { SYNDICATE_MEMBER_DATA, SYNDICATE_MEMBER_EXAMPLES } from './data/syndicate-member.ts'

/** The groups in which the specification presents the events, in its order. */
type Groups = {
  readonly investment: typeof INVESTMENT_DATA
  readonly investment_sync: typeof INVESTMENT_SYNC_DATA
  readonly offering: typeof OFFERING_DATA
  readonly investment_session: typeof INVESTMENT_SESSION_DATA
  readonly syndicate_member: typeof SYNDICATE_MEMBER_DATA
  readonly join_session: typeof JOIN_SESSION_DATA
  readonly installation: typeof INSTALLATION_DATA
  readonly referral: typeof REFERRAL_DATA
  readonly intent: typeof INTENT_DATA
}

export type EventGroup = keyof Groups
export type EventNameOf<G extends EventGroup> = { [K in G]: keyof Groups[K] }[G]
export type EventName = EventNameOf<EventGroup>

/** The schema of `data`, by event. */
export const EVENT_DATA = {
  ...INVESTMENT_DATA,
  ...INVESTMENT_SYNC_DATA,
  ...OFFERING_DATA,
  ...INVESTMENT_SESSION_DATA,
  ...SYNDICATE_MEMBER_DATA,
  ...JOIN_SESSION_DATA,
  ...INSTALLATION_DATA,
  ...REFERRAL_DATA,
  ...INTENT_DATA,
}

export type EventData<N extends EventName> = Static<(typeof EVENT_DATA)[N]>

/** The fake records of test envelopes, with every optional field: the projection takes away what must not be seen. */
export const EVENT_EXAMPLES: { readonly [N in EventName]: EventData<N> } = {
  ...INVESTMENT_EXAMPLES,
  ...INVESTMENT_SYNC_EXAMPLES,
  ...OFFERING_EXAMPLES,
  ...INVESTMENT_SESSION_EXAMPLES,
  ...SYNDICATE_MEMBER_EXAMPLES,
  ...JOIN_SESSION_EXAMPLES,
  ...INSTALLATION_EXAMPLES,
  ...REFERRAL_EXAMPLES,
  ...INTENT_EXAMPLES,
}

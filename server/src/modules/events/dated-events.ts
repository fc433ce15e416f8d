import type { EventData, EventName } from './event-data.ts'

type Dated = { [N in EventName]: 'occurred_at' extends keyof EventData<N> ? N : never }[EventName]

/**
 * Whose data carries occurred_at. Written out, because the workers ask and do not load the schemas; the compiler holds the
 * two together.
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

export function carriesOccurredAt(name: EventName): boolean {
  return Object.hasOwn(DATED, name)
}

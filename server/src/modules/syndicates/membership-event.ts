import type { WorldTime } from '#kernel/clock.ts'
import { type NewEvent, NOBODY } from '#modules/events/index.ts'
import type { MembershipEvent, MembershipState } from './membership-states.ts'
import type { MembershipRow } from './membership-store.ts'
import type { Person } from './person-store.ts'

/** Whom a membership's events name. */
export type People = { readonly member: Person; readonly approver: Person | null }

/** "id, status, user, approved_by": the specification's table, with names and addresses apart. */
export function membershipEvent(
  name: MembershipEvent,
  membership: MembershipRow,
  { people, occurredAt }: { readonly people: People; readonly occurredAt: WorldTime },
): NewEvent {
  const { member, approver } = people
  return {
    name,
    subject: { syndicateId: membership.syndicate_id, membershipId: membership.id, userId: member.id },
    occurredAt,
    data: {
      id: membership.id,
      syndicate: membership.syndicate_id,
      status: statusIn(name, membership.status),
      user: { id: member.id, ...NOBODY },
      approved_by: approver === null ? null : { id: approver.id, name: NOBODY.name },
    },
    ...identityOf(membership, people),
  }
}

/** An approval that makes the member at once still says approved; the joined after it says member. */
function statusIn(name: MembershipEvent, reached: MembershipState): MembershipState {
  return name === 'syndicate_member.approved' ? 'approved' : reached
}

/**
 * "The joined event's user.email matches the earlier invitation's email", and so does every later one's: a receiver
 * that knows the member by that address must hear of the leaving under it, too.
 */
function identityOf({ invited_email }: MembershipRow, { member, approver }: People): Pick<NewEvent, 'identity'> {
  const { name, email } = member
  const identity = {
    ...(name === null || email === null ? {} : { user: { name, email: invited_email ?? email } }),
    ...(approver === null || approver.name === null ? {} : { approved_by: { name: approver.name } }),
  }
  return Object.keys(identity).length === 0 ? {} : { identity }
}

import type { EventNameOf } from '#events/index.ts'
import { allowedMoves, type Before, type StateMachine, type Transition, transition } from '#kernel/state-machine.ts'

/**
 * from                            move           to               syndicate_member.…
 * (none), declined, withdrawn     apply          pending          applied
 * pending                         approve        approved (fund)  approved
 *                                                member           approved, then joined
 * approved, payment_failed,       join           member           joined
 *   left, removed
 * (none), pending, left, removed, join_directly  member           joined
 *   declined, withdrawn
 * member, payment_failed          leave          left             left
 * member, payment_failed          remove         removed          left
 * member, approved                fail_payment   payment_failed   left
 * pending, approved               decline        declined         declined
 * pending, approved               withdraw       withdrawn        declined
 *
 * The specification names each move and its end state, but rarely the states in which the move starts. The following sentences of
 * the specification define these start states:
 *
 * apply          "Never repeats for the same request; repeats only when a rejected investor applies again", and after a
 *                closed application "a later application starts with applied". A member who left or was removed
 *                does not apply again, but returns by joining.
 * approve        "In a fund syndicate approved and joined are separate events, minutes or days apart", because the
 *                person invests in between. In other syndicates the approval makes the person a member at once.
 * join           Follows an approval, or a former membership. "Can follow a left for the same id", and all three ends of
 *                a membership send syndicate_member.left; "later successful payment arrives as joined".
 * join_directly  "Approved by manager, automatic, or from an invitation": the last two need no application, so this move
 *                starts from every state without a membership or an approval, even from an open application. approved_by
 *                is null.
 * leave, remove  Possible for members, and for people "awaiting re-investment", whose approval ends with the move.
 * fail_payment   "Payment failed, awaiting re-investment; approval stands": for a member whose payment was taken back,
 *                and for an approved person of a fund syndicate whose first payment failed.
 * decline, withdraw  "Closes the application": an application is open while pending, and in a fund syndicate until the
 *                person has joined. That is why the event's data can have an approved_by.
 *
 * Invitations "create no membership; they are keyed by email", so they are not moves. Hide, restore, promote and demote
 * change no state and send no event.
 */
export const MEMBERSHIP_STATES = [
  'pending',
  'approved',
  'member',
  'left',
  'removed',
  'payment_failed',
  'declined',
  'withdrawn',
] as const
export type MembershipState = (typeof MEMBERSHIP_STATES)[number]

export type MembershipMove =
  | 'apply'
  | 'approve'
  | 'join'
  | 'join_directly'
  | 'leave'
  | 'remove'
  | 'fail_payment'
  | 'decline'
  | 'withdraw'

export type MembershipAlso = 'set_approved_by' | 'clear_approved_by'

/**
 * The events of a membership. The events of an invitation are not among them, because an invitation creates no
 * membership.
 */
export type MembershipEvent = Exclude<
  EventNameOf<'syndicate_member'>,
  'syndicate_member.invited' | 'syndicate_member.reinvited'
>

const apply = { to: 'pending', events: ['syndicate_member.applied'], also: ['clear_approved_by'] } as const
const join = { to: 'member', events: ['syndicate_member.joined'] } as const
const joinDirectly = { ...join, also: ['clear_approved_by'] } as const
const leave = { to: 'left', events: ['syndicate_member.left'] } as const
const remove = { to: 'removed', events: ['syndicate_member.left'] } as const
const failPayment = { to: 'payment_failed', events: ['syndicate_member.left'] } as const
const decline = { to: 'declined', events: ['syndicate_member.declined'] } as const
const withdraw = { to: 'withdrawn', events: ['syndicate_member.declined'] } as const

export const MEMBERSHIP_MACHINE: StateMachine<MembershipState, MembershipMove, MembershipEvent, MembershipAlso> = {
  noun: 'membership',
  table: {
    none: { apply, join_directly: joinDirectly },
    pending: {
      approve: [
        { to: 'approved', events: ['syndicate_member.approved'], also: ['set_approved_by'] },
        {
          to: 'member',
          events: ['syndicate_member.approved', 'syndicate_member.joined'],
          also: ['set_approved_by'],
        },
      ],
      join_directly: joinDirectly,
      decline,
      withdraw,
    },
    approved: { join, fail_payment: failPayment, decline, withdraw },
    member: { leave, remove, fail_payment: failPayment },
    left: { join, join_directly: joinDirectly },
    removed: { join, join_directly: joinDirectly },
    payment_failed: { join, leave, remove },
    declined: { apply, join_directly: joinDirectly },
    withdrawn: { apply, join_directly: joinDirectly },
  },
}

export type MembershipTransition = Transition<MembershipState, MembershipMove, MembershipEvent, MembershipAlso>

/** The transition of any move except `approve`, whose result depends on the syndicate. */
export function moveMembership(
  from: MembershipState | Before,
  move: Exclude<MembershipMove, 'approve'>,
): MembershipTransition {
  return transition(MEMBERSHIP_MACHINE, { from, move })
}

/** "In a fund syndicate approved and joined are separate events". In other syndicates the approval makes the person a member. */
export function approveMembership(
  from: MembershipState | Before,
  syndicate: { readonly fund: boolean },
): MembershipTransition {
  return transition(MEMBERSHIP_MACHINE, { from, move: 'approve', into: syndicate.fund ? 'approved' : 'member' })
}

/**
 * The move by which a person joins. It is `join_directly` if the table allows this move, and the syndicate approves
 * automatically or has invited the person. Otherwise it is `join`, which the table rejects for a person without an
 * approval or a former membership.
 */
export function joiningMove(
  from: MembershipState | Before,
  reasons: { readonly automatic: boolean; readonly invited: boolean },
): 'join' | 'join_directly' {
  const directly = reasons.automatic || reasons.invited
  return directly && allowedMoves(MEMBERSHIP_MACHINE, from).includes('join_directly') ? 'join_directly' : 'join'
}

import { allowedMoves, type Before, type Transition, transition } from '#kernel/state-machine.ts'
import {
  MEMBERSHIP_MACHINE,
  type MembershipAlso,
  type MembershipEvent,
  type MembershipMove,
  type MembershipState,
} from './membership-states.ts'

export type MembershipTransition = Transition<MembershipState, MembershipMove, MembershipEvent, MembershipAlso>

/** For every move but the approval, which depends on the syndicate. */
export function moveMembership(
  from: MembershipState | Before,
  move: Exclude<MembershipMove, 'approve'>,
): MembershipTransition {
  return transition(MEMBERSHIP_MACHINE, { from, move })
}

/** "In a fund syndicate approved and joined are separate events"; elsewhere the approval makes the member. */
export function approveMembership(
  from: MembershipState | Before,
  syndicate: { readonly fund: boolean },
): MembershipTransition {
  return transition(MEMBERSHIP_MACHINE, { from, move: 'approve', into: syndicate.fund ? 'approved' : 'member' })
}

/**
 * How a person who joins does so: directly where the syndicate approves automatically or has invited them, else on
 * what stands (an approval, a membership of before). Where nothing stands that is `join`, and the table refuses it.
 */
export function joiningMove(
  from: MembershipState | Before,
  ground: { readonly automatic: boolean; readonly invited: boolean },
): 'join' | 'join_directly' {
  const directly = ground.automatic || ground.invited
  return directly && allowedMoves(MEMBERSHIP_MACHINE, from).includes('join_directly') ? 'join_directly' : 'join'
}

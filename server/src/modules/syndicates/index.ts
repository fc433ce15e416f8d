export { approveMembership, joiningMove, type MembershipTransition, moveMembership } from './joining.ts'
export {
  MEMBERSHIP_MACHINE,
  MEMBERSHIP_STATES,
  type MembershipAlso,
  type MembershipEvent,
  type MembershipMove,
  type MembershipState,
} from './membership-states.ts'

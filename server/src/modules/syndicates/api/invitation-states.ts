import { illegalTransition, type StateMachine } from '#kernel/state-machine.ts'

type OfInvitations = 'resend_invite' | 'withdraw_invite'

/** What can be done with an invitation that waits for an answer. */
const INVITATION_MACHINE: StateMachine<'open' | 'withdrawn', OfInvitations, never> = {
  noun: 'invitation',
  table: {
    none: {},
    open: { resend_invite: { to: 'open', events: [] }, withdraw_invite: { to: 'withdrawn', events: [] } },
    withdrawn: {},
  },
}

export function noInvitation(move: OfInvitations) {
  const why = 'Whoever is here has come in, or has applied.'
  return illegalTransition(INVITATION_MACHINE, { from: 'none', move }, why)
}

type OfMembers = 'approve' | 'decline' | 'hide' | 'restore' | 'promote' | 'demote' | 'update' | 'reorder'

/** "Invitations create no membership": there is nothing yet that could be changed. */
const MEMBERSHIP_TO_BE: StateMachine<'member', OfMembers, never> = {
  noun: 'membership',
  table: { none: {}, member: {} },
}

/** "Approve: applicants only; invitees must use their link." */
export function noMembershipYet(move: OfMembers) {
  const why = 'Whoever was invited comes in by the link that was sent to them.'
  return illegalTransition(MEMBERSHIP_TO_BE, { from: 'none', move }, why)
}

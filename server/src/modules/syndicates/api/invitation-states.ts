import { illegalTransition, type StateMachine } from '#kernel/state-machine.ts'

/** What can be done with somebody in the directory who is not a member yet, and with nobody else. */
const INVITATION_MACHINE: StateMachine<'open', 'resend_invite', never> = {
  noun: 'invitation',
  table: { none: {}, open: { resend_invite: { to: 'open', events: [] } } },
}

export function noInvitation() {
  const why = 'Whoever is here has come in, or has applied.'
  return illegalTransition(INVITATION_MACHINE, { from: 'none', move: 'resend_invite' }, why)
}

type OfMembers = 'approve' | 'hide' | 'restore' | 'promote' | 'demote' | 'update' | 'reorder'

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

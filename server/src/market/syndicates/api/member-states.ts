import { illegalTransition, type StateMachine } from '#kernel/state-machine.ts'
import type { PermissionHere } from './store.ts'

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
  const why = 'A person who is here has come in, or has applied.'
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
  const why = 'A person who was invited comes in by the link that was sent to them.'
  return illegalTransition(MEMBERSHIP_TO_BE, { from: 'none', move }, why)
}

/**
 * from          move     to
 * member        promote  full_access
 * operator      promote  full_access
 * full_access   demote   operator
 *
 * "Promote: to full_access; demote: full_access → operator." For members only: a person who is no member (any longer, or yet)
 * is what the membership says, and nothing leads out of that. The creator of the syndicate keeps full access: nobody
 * could give it back. "None of them has an event."
 */
type MemberPermission = PermissionHere['status'] | 'operator' | 'full_access' | 'creator'

export const PERMISSION_MACHINE: StateMachine<MemberPermission, 'promote' | 'demote', never> = {
  noun: 'member',
  table: {
    none: {},
    pending: {},
    approved: {},
    left: {},
    removed: {},
    payment_failed: {},
    declined: {},
    withdrawn: {},
    member: { promote: { to: 'full_access', events: [] } },
    operator: { promote: { to: 'full_access', events: [] } },
    full_access: { demote: { to: 'operator', events: [] } },
    creator: {},
  },
}

/** A creator who is hidden from the directory is the creator still. */
export function permissionOf({ status, created, permission }: PermissionHere): MemberPermission {
  if (status !== 'member') return status
  return created && permission === 'full_access' ? 'creator' : (permission ?? 'member')
}

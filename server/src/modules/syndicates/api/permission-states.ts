import type { StateMachine } from '#kernel/state-machine.ts'
import type { PermissionHere } from './store.ts'

/**
 * from          move     to
 * member        promote  full_access
 * operator      promote  full_access
 * full_access   demote   operator
 *
 * "Promote: to full_access; demote: full_access → operator." Of members alone: whoever is no member (any longer, or yet)
 * is what the membership says, and nothing leads out of that. Whoever created the syndicate keeps full access: nobody
 * could give it back. "None of them has an event."
 */
export type MemberPermission = PermissionHere['status'] | 'operator' | 'full_access' | 'creator'

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

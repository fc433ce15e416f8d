import type { Invitation } from './invitation-store.ts'
import { manages } from './member-rules.ts'

/**
 * An invitation is as good as whoever sent it: it holds until it runs out, while they are on the team with a role that
 * gives this one. One that does not hold is as if there were none: it is not shown, and cannot be accepted.
 */
export function holds({ expired, inviter_role, role }: Pick<Invitation, 'expired' | 'inviter_role' | 'role'>): boolean {
  return !expired && inviter_role !== null && manages(inviter_role, role)
}

import type { StateMachine } from '#kernel/state-machine.ts'

/**
 * from          move     to
 * member        promote  full_access
 * operator      promote  full_access
 * full_access   demote   operator
 *
 * "Promote: to full_access; demote: full_access → operator." Of members alone, so nothing leads out of (none). Whoever
 * created the syndicate keeps full access: nobody could give it back. "None of them has an event."
 */
export type MemberPermission = 'member' | 'operator' | 'full_access' | 'creator'

export const PERMISSION_MACHINE: StateMachine<MemberPermission, 'promote' | 'demote', never> = {
  noun: 'member',
  table: {
    none: {},
    member: { promote: { to: 'full_access', events: [] } },
    operator: { promote: { to: 'full_access', events: [] } },
    full_access: { demote: { to: 'operator', events: [] } },
    creator: {},
  },
}

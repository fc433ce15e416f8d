import { type Static, Type } from 'typebox'
import type { Route } from '#http/route.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { settlingJoinSessions } from '#modules/sessions/index.ts'
import {
  approveApplication,
  declineApplication,
  failPayment,
  joinSyndicate,
  leaveSyndicate,
  type MovedMembership,
  removeMember,
  withdrawApplication,
} from '#modules/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { actingManager } from './acting-manager.ts'
import { Exactly, IdOf } from './fields.ts'
import { Membership, showMembership } from './membership-record.ts'
import { moves, step, stepWith } from './moves.ts'

const Approval = Exactly({ approved_by: Type.Optional(IdOf('user')) }, 'SandboxApproval')

export const membershipRoutes: readonly Route[] = moves(
  { of: 'membership', plural: 'memberships', record: Membership, show: showMembership },
  {
    approve: stepWith('Approve an application; outside fund syndicates that makes the member', Approval, approve),
    join: step('Become a member: approved, returning, invited, or where nobody need approve', settling(joinSyndicate)),
    leave: step('Resign', leaveSyndicate),
    remove: step('Have a manager remove the member', removeMember),
    fail_payment: step('Let the payment fail: re-investment is awaited, the approval stands', failPayment),
    decline: step('Have a manager decline the application', settling(declineApplication)),
    withdraw: step('Withdraw the application', settling(withdrawApplication)),
  },
)

type Named = { readonly id: Id<'membership'> }
type Decide<Input extends Named> = (tx: Tx, input: Input, occasion: Occasion) => Promise<MovedMembership>

/** Nobody tells us separately what became of a join session that waits for this: it ends with the application. */
function settling<Input extends Named>(decide: Decide<Input>): Decide<Input> {
  return (tx, input, occasion) => {
    const decision = { membershipId: input.id, decide: () => decide(tx, input, occasion) }
    return settlingJoinSessions(tx, decision, occasion)
  }
}

async function approve(
  tx: Tx,
  { id, approved_by }: Named & Static<typeof Approval>,
  occasion: Occasion,
): Promise<MovedMembership> {
  const { syndicate } = (await showMembership(tx, id)).attributes
  const approvedBy = await actingManager(tx, syndicate, { field: 'approved_by', user: approved_by })
  return settling(approveApplication)(tx, { id, approvedBy }, occasion)
}

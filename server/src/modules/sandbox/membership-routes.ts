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
    approve: stepWith(
      {
        summary: 'Approve a membership application',
        description: 'Approves an application. Except in fund syndicates, the applicant becomes a member at once.',
      },
      Approval,
      approve,
    ),
    join: step(
      {
        summary: 'Join a syndicate',
        description:
          'The person becomes a member: they were approved or invited, they return, or no approval is needed.',
      },
      settling(joinSyndicate),
    ),
    leave: step(
      { summary: 'Leave a syndicate', description: 'The member resigns from the syndicate.' },
      leaveSyndicate,
    ),
    remove: step({ summary: 'Remove a member', description: 'A manager removes the member.' }, removeMember),
    fail_payment: step(
      {
        summary: 'Fail a membership payment',
        description: 'The member’s payment fails. The approval stands, and the member has to invest again.',
      },
      failPayment,
    ),
    decline: step(
      { summary: 'Decline a membership application', description: 'A manager declines the application.' },
      settling(declineApplication),
    ),
    withdraw: step(
      { summary: 'Withdraw a membership application', description: 'The applicant withdraws the application.' },
      settling(withdrawApplication),
    ),
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

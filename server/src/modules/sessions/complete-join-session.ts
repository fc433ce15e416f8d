import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { admitPerson } from '#modules/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type FinishedFlow, personHere } from './await-approval.ts'
import { beginMoveOf, finisherOf, finishMove } from './move-join-session.ts'

export type Completion = FinishedFlow & {
  /** Who approved the application, where one waits for it. */
  readonly approvedBy?: Id<'user'>
  readonly invitedEmail?: string
}

/**
 * "Person became a member; on approval or directly when auto-approving", and "accompanied by syndicate_member.joined":
 * the membership's own, in this transaction, unless the person is a member already.
 */
export async function completeJoinSession(tx: Tx, input: Completion, occasion: Occasion): Promise<void> {
  const move = await beginMoveOf(tx, input, { move: 'complete', occasion })
  const userId = await finisherOf(tx, move.session, input.userId)
  const person = {
    ...personHere(move.session.syndicate_id, userId, input),
    ...(input.approvedBy === undefined ? {} : { approvedBy: input.approvedBy }),
    ...(input.invitedEmail === undefined ? {} : { invitedEmail: input.invitedEmail }),
  }
  const { id: membershipId } = await admitPerson(tx, person, occasion)
  await finishMove(tx, move, { user_id: userId, membership_id: membershipId }, occasion)
}

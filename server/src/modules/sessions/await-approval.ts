import type { Id } from '#kernel/ids.ts'
import { allowedMoves, illegalTransition } from '#kernel/state-machine.ts'
import type { Occasion } from '#modules/events/index.ts'
import {
  applyForMembership,
  MEMBERSHIP_MACHINE,
  type PersonHere,
  readSyndicate,
  standingOf,
} from '#modules/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { JOIN_SESSION_MACHINE } from './join-session-states.ts'
import type { JoinSessionRow } from './join-session-store.ts'
import { beginMoveOf, finisherOf, finishMove } from './move-join-session.ts'

export type FinishedFlow = {
  readonly id: Id<'joinSession'>
  readonly userId?: Id<'user'>
  /** The id the person's membership is to have, where there is none yet. */
  readonly membershipId?: Id<'membership'>
}

/** "Person finished flow, manager approval required": the person applies, unless they have done so before. */
export async function awaitApproval(tx: Tx, input: FinishedFlow, occasion: Occasion): Promise<void> {
  const move = await beginMoveOf(tx, input, { move: 'await_approval', occasion })
  const userId = await finisherOf(tx, move.session, input.userId)
  await refuseWhereNobodyApproves(tx, move.session)
  const { id, applied } = await applyOnce(tx, personHere(move.session.syndicate_id, userId, input), occasion)
  await finishMove(tx, move, { user_id: userId, membership_id: id, applied }, occasion)
}

/** "A manager-approval syndicate emits pending_approval then completed; an auto-approving one emits completed directly." */
async function refuseWhereNobodyApproves(tx: Tx, { syndicate_id, status }: JoinSessionRow): Promise<void> {
  if ((await readSyndicate(tx, syndicate_id))?.auto_approval !== true) return
  const why = 'The syndicate approves by itself: complete the session.'
  throw illegalTransition(JOIN_SESSION_MACHINE, { from: status, move: 'await_approval' }, why)
}

type Applied = { readonly id: Id<'membership'>; readonly applied: boolean }

/** Who has applied already does not apply twice, and who was a member returns by joining. */
async function applyOnce(tx: Tx, person: PersonHere, occasion: Occasion): Promise<Applied> {
  const { id, status } = await standingOf(tx, person)
  // Waiting could only end in "rejected" for somebody who is in.
  if (status === 'member') {
    throw illegalTransition(MEMBERSHIP_MACHINE, { from: status, move: 'apply' }, 'This person is a member already.')
  }
  if (!allowedMoves(MEMBERSHIP_MACHINE, status).includes('apply')) return { id, applied: false }
  await applyForMembership(tx, { ...person, id }, occasion)
  return { id, applied: true }
}

export function personHere(
  syndicateId: Id<'syndicate'>,
  userId: Id<'user'>,
  { membershipId }: Pick<FinishedFlow, 'membershipId'>,
): PersonHere {
  return { syndicateId, userId, ...(membershipId === undefined ? {} : { id: membershipId }) }
}

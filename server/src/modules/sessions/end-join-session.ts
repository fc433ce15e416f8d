import type { Id } from '#kernel/ids.ts'
import { allowedMoves } from '#kernel/state-machine.ts'
import type { Occasion } from '#modules/events/index.ts'
import { declineApplication, MEMBERSHIP_MACHINE, standingById, withdrawApplication } from '#modules/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { IneligibleReason } from './join-session.ts'
import type { JoinSessionRow } from './join-session-store.ts'
import { beginMove, beginMoveOf, finishMove, personAt } from './move-join-session.ts'

type Named = { readonly id: Id<'joinSession'> }

/** "Manager rejected a session awaiting approval": the application is declined with it. */
export async function rejectJoinSession(tx: Tx, { id }: Named, occasion: Occasion): Promise<void> {
  const move = await beginMoveOf(tx, { id }, { move: 'reject', occasion })
  if (move.step.also.includes('decline_application')) await closeApplication(tx, move.session, 'decline', occasion)
  await finishMove(tx, move, {}, occasion)
}

/**
 * "Before completion". Whoever applied by the session withdraws by it. An application that was made before it or elsewhere is
 * not an app's to take back and stands; of its own sessions the host platform knows best.
 */
export async function cancelJoinSession(tx: Tx, { id }: Named, occasion: Occasion): Promise<void> {
  const move = await beginMoveOf(tx, { id }, { move: 'cancel', occasion })
  const { made_here, applied } = move.session
  const own = applied || !made_here
  if (own && move.step.also.includes('withdraw_application'))
    await closeApplication(tx, move.session, 'withdraw', occasion)
  await finishMove(tx, move, {}, occasion)
}

/** "Before completion". An application stands: nobody withdrew or declined it. */
export async function expireJoinSession(tx: Tx, { id }: Named, occasion: Occasion): Promise<void> {
  await finishMove(tx, await beginMove(tx, id, { move: 'expire', occasion }), {}, occasion)
}

export async function markIneligible(
  tx: Tx,
  input: Named & { readonly reason: IneligibleReason; readonly userId?: Id<'user'> },
  occasion: Occasion,
): Promise<void> {
  const move = await beginMoveOf(tx, input, { move: 'mark_ineligible', occasion })
  const userId = await personAt(tx, move.session, input.userId)
  const set = { ineligible_reason: input.reason, ...(userId === null ? {} : { user_id: userId }) }
  await finishMove(tx, move, set, occasion)
}

const CLOSING = { decline: declineApplication, withdraw: withdrawApplication }

/** An application that is closed already, or was answered with a membership, stays as it is. */
async function closeApplication(
  tx: Tx,
  { membership_id: id }: JoinSessionRow,
  move: keyof typeof CLOSING,
  occasion: Occasion,
): Promise<void> {
  if (id === null) return
  const { status } = await standingById(tx, id, 'membership')
  if (allowedMoves(MEMBERSHIP_MACHINE, status).includes(move)) await CLOSING[move](tx, { id }, occasion)
}

import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { lockMember, type MembershipState, type MovedMembership } from '#modules/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { completeJoinSession } from './complete-join-session.ts'
import { cancelJoinSession, rejectJoinSession } from './end-join-session.ts'
import { lockWaitingSessions } from './join-session-store.ts'

type End = (tx: Tx, session: { readonly id: Id<'joinSession'> }, occasion: Occasion) => Promise<void>

/** What becomes of a session that waits when its membership has come to this. */
const END: { readonly [S in MembershipState]?: End } = {
  member: completeJoinSession,
  declined: rejectJoinSession,
  withdrawn: cancelJoinSession,
}

/**
 * Decides about a membership where nobody tells us separately what became of its join sessions: a manager's approval
 * in our own pages and API, or in the sandbox. "join_session.completed: person became a member; on approval …". The
 * person and the sessions are locked before the membership moves, in the order everybody keeps.
 */
export async function settlingJoinSessions(tx: Tx, decision: Decision, occasion: Occasion): Promise<MovedMembership> {
  return settling(tx, { ...decision, which: 'all' }, occasion)
}

/**
 * The same where the host platform tells us of the decision: what became of the sessions it told us of, it tells us too,
 * but of those that an app made with us it knows nothing.
 */
export async function settlingSessionsMadeHere(
  tx: Tx,
  decision: Decision,
  occasion: Occasion,
): Promise<MovedMembership> {
  return settling(tx, { ...decision, which: 'made_here' }, occasion)
}

type Decision = { readonly membershipId: Id<'membership'>; decide(): Promise<MovedMembership> }

async function settling(
  tx: Tx,
  { membershipId, decide, which }: Decision & { readonly which: 'all' | 'made_here' },
  occasion: Occasion,
): Promise<MovedMembership> {
  await lockMember(tx, membershipId)
  const waiting = await lockWaitingSessions(tx, membershipId, which)
  const moved = await decide()
  const end = END[moved.status]
  if (end !== undefined) for (const session of waiting) await end(tx, session, occasion)
  return moved
}

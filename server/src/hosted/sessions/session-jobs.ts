import { lockUser } from '#access/people/index.ts'
import type { Occasion } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import {
  type Joining,
  joinSyndicate,
  lockMember,
  lockStateById,
  lockStateOf,
  type MembershipState,
  type MovedMembership,
  type PersonHere,
} from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { expireInvestmentSession } from './investment-session.ts'
import { cancelJoinSession, completeJoinSession, expireJoinSession, rejectJoinSession } from './join-session.ts'
import {
  type DueSession,
  isDue,
  lockJoinSessionsOf,
  lockWaitingSessions,
  takeDueJoinSessions,
} from './join-session-store.ts'
import { lockedJoinSession } from './move-join-session.ts'
import { eraseAddresses, takeDueInvestmentSessions } from './store.ts'

/**
 * Expires at most `limit` due sessions and returns their number. The occurred_at of each event is the session's expires_at, not the
 * time of the job's run.
 */
export async function expireDueSessions(tx: Tx, limit: number): Promise<number> {
  const joining = await takeDueJoinSessions(tx, limit)
  for (const { id, expires_at } of joining) await expireJoinSession(tx, { id }, byTheClock(expires_at))
  const investing = await takeDueInvestmentSessions(tx, limit - joining.length)
  for (const { id, expires_at } of investing) await expireInvestmentSession(tx, { id }, byTheClock(expires_at))
  return joining.length + investing.length
}

function byTheClock(occurredAt: Occasion['occurredAt']): Occasion {
  return { cause: 'clock', occurredAt, caused: [] }
}

/**
 * Erases a person's addresses from investment sessions; a session for an address is linked to the user instead. Join sessions
 * contain no address, but their events contain the name. So this function waits for concurrent moves of join sessions, and it must
 * run before the events are erased.
 */
export async function eraseSessions(tx: Tx, userId: Id<'user'>, addresses: readonly string[]): Promise<void> {
  await lockUser(tx, 'id', userId)
  await lockJoinSessionsOf(tx, userId)
  await eraseAddresses(tx, userId, addresses)
}

type End = (tx: Tx, session: { readonly id: Id<'joinSession'> }, occasion: Occasion) => Promise<void>

/** The move that ends a waiting session, by the new state of the membership. */
const END: { readonly [S in MembershipState]?: End } = {
  member: completeJoinSession,
  declined: rejectJoinSession,
  withdrawn: cancelJoinSession,
}

/**
 * Runs a decision about a membership. If `END` has a move for the membership's new state, the function also ends the join
 * sessions that wait for the decision. Used for decisions in our pages, our API and the sandbox. "join_session.completed: person
 * became a member; on approval …". The usual lock order: the person, the sessions, then the membership.
 */
export async function settlingJoinSessions(tx: Tx, decision: Decision, occasion: Occasion): Promise<MovedMembership> {
  return settling(tx, { ...decision, which: 'all' }, occasion)
}

/**
 * Like `settlingJoinSessions`, for a decision of the host platform. The platform sends facts about its own sessions, so only
 * sessions that apps created through our API are ended.
 */
export async function settlingSessionsMadeHere(
  tx: Tx,
  decision: Decision,
  occasion: Occasion,
): Promise<MovedMembership> {
  return settling(tx, { ...decision, which: 'made_here' }, occasion)
}

type JoiningPerson = PersonHere & Pick<Joining, 'invitedEmail'>

/**
 * Like `settlingJoinSessions`, for a person who joins without a decision of a manager: on an invitation, or because no approval
 * is needed. The person's application may be open, and sessions may wait for a decision about it. Creates the membership if the
 * person has none.
 */
export async function joinSettlingSessions(
  tx: Tx,
  person: JoiningPerson,
  occasion: Occasion,
): Promise<MovedMembership> {
  const { id: membershipId } = await lockStateOf(tx, person)
  const decide = () => joinSyndicate(tx, { ...person, id: membershipId }, occasion)
  return settlingJoinSessions(tx, { membershipId, decide }, occasion)
}

type Decision = { readonly membershipId: Id<'membership'>; decide(): Promise<MovedMembership> }
type Which = Parameters<typeof lockWaitingSessions>[2]

async function settling(
  tx: Tx,
  { membershipId, decide, which }: Decision & { readonly which: Which },
  occasion: Occasion,
): Promise<MovedMembership> {
  await lockMember(tx, membershipId)
  const waiting = await lockWaitingSessions(tx, membershipId, which)
  const moved = await decide()
  await endAll(tx, { waiting, status: moved.status }, occasion)
  return moved
}

/**
 * Ends one session with `end`, and then the other sessions that wait for the same application: all of them, or with
 * `made_here` only those that apps created through our API. `end` locks the person, as every decision does.
 */
export async function endingOthersToo(
  tx: Tx,
  { id, which, end }: { readonly id: Id<'joinSession'>; readonly which: Which; end(): Promise<void> },
  occasion: Occasion,
): Promise<void> {
  await end()
  const { membership_id: membershipId } = await lockedJoinSession(tx, id)
  if (membershipId === null) return
  const waiting = await lockWaitingSessions(tx, membershipId, which)
  if (waiting.length === 0) return
  const { status } = await lockStateById(tx, membershipId, 'membership')
  if (status !== 'none') await endAll(tx, { waiting, status }, occasion)
}

type Ending = { readonly waiting: readonly DueSession<'joinSession'>[]; readonly status: MembershipState }

/** A session whose expires_at has passed expires instead of getting the move of `END`, even if no worker has expired it yet. */
async function endAll(tx: Tx, { waiting, status }: Ending, occasion: Occasion): Promise<void> {
  const end = END[status]
  if (end === undefined) return
  for (const { id, expires_at: occurredAt } of waiting) {
    if (await isDue(tx, id, occasion.occurredAt)) await expireJoinSession(tx, { id }, { ...occasion, occurredAt })
    else await end(tx, { id }, occasion)
  }
}

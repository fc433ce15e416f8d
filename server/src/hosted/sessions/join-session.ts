import { lockActiveUser } from '#access/people/index.ts'
import type { Occasion } from '#events/index.ts'
import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { allowedMoves, illegalTransition } from '#kernel/state-machine.ts'
import {
  admitPerson,
  applyForMembership,
  declineApplication,
  lockStateById,
  lockStateOf,
  MEMBERSHIP_MACHINE,
  type PersonHere,
  readSyndicate,
  syndicateExists,
  withdrawApplication,
} from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import {
  type Appearance,
  type IneligibleReason,
  JOIN_SESSION_MACHINE,
  type JoinSessionMove,
  type JoinSessionState,
  type Theme,
} from './join-session-states.ts'
import { insertJoinSession, type JoinSessionRow, setJoinSessionUser } from './join-session-store.ts'
import {
  beginMove,
  beginMoveOf,
  finisherOf,
  finishMove,
  lockedJoinSession,
  personAt,
  statusAt,
} from './move-join-session.ts'
import { rejectUnstorableMetadata } from './session-input.ts'

export type JoinSessionInput = {
  readonly id: Id<'joinSession'>
  readonly syndicateId: Id<'syndicate'>
  /** The person, if they are known when the session is created. */
  readonly userId?: Id<'user'>
  /** The installation that created the session. */
  readonly installationId?: Id<'installation'>
  /** The app that created the session: only this app reads and cancels it, and the session gets a hosted page. */
  readonly appId?: Id<'app'>
  /** The partner's theme of an embedded session. An embedded session without one looks like our own pages. */
  readonly theme?: Theme
  /** The origins that may show the first step in a frame. `appearance`: its colours and corners; null for the look of our own pages. */
  readonly frame?: { readonly origins: readonly string[]; readonly appearance: Appearance | null }
  readonly successUrl?: string
  /** The address to which the page redirects the person after every outcome. */
  readonly returnUrl?: string
  readonly metadata?: { readonly [key: string]: unknown }
  readonly expiresAt: string
}

/** "Open until the person finishes (no event)." */
export async function createJoinSession(tx: Tx, input: JoinSessionInput, occasion: Occasion): Promise<void> {
  if (input.userId !== undefined) await lockActiveUser(tx, 'user', input.userId)
  if (!(await syndicateExists(tx, input.syndicateId))) throw new UnknownReference('syndicate', input.syndicateId)
  if (input.metadata !== undefined) await rejectUnstorableMetadata(tx, input.metadata)
  await insertJoinSession(tx, {
    id: input.id,
    syndicateId: input.syndicateId,
    userId: input.userId ?? null,
    installationId: input.installationId ?? null,
    appId: input.appId ?? null,
    theme: input.theme ?? null,
    frameOrigins: input.frame?.origins ?? null,
    appearance: input.frame?.appearance ?? null,
    successUrl: input.successUrl ?? null,
    returnUrl: input.returnUrl ?? null,
    metadata: input.metadata ?? {},
    createdAt: occasion.occurredAt,
    expiresAt: input.expiresAt,
  })
}

/**
 * "user (usr_ id and name once signed in, null before)": a signed-in person pressed "Continue as …" on the session's first page,
 * or the sandbox simulated it. Signing in changes no state and sends no event, and repeating it changes nothing.
 */
export async function signIn(
  tx: Tx,
  { id, userId }: { readonly id: Id<'joinSession'>; readonly userId: Id<'user'> },
  occasion: Occasion,
): Promise<void> {
  await lockActiveUser(tx, 'user', userId)
  const session = await lockedJoinSession(tx, id)
  const status = await statusAt(tx, session, occasion)
  if (status !== 'open') throw tooLate(status)
  await personAt(tx, session, userId)
  await setJoinSessionUser(tx, id, userId)
}

function tooLate(from: JoinSessionState) {
  type Move = JoinSessionMove | 'sign_in'
  return illegalTransition<JoinSessionState, Move>(JOIN_SESSION_MACHINE, { from, move: 'sign_in' })
}

export type FinishedFlow = {
  readonly id: Id<'joinSession'>
  readonly userId?: Id<'user'>
  /** The id for the person's membership, if it does not exist yet. */
  readonly membershipId?: Id<'membership'>
}

/** "Person finished flow, manager approval required": the person applies, unless they have done so before. */
export async function awaitApproval(tx: Tx, input: FinishedFlow, occasion: Occasion): Promise<void> {
  const move = await beginMoveOf(tx, input, { move: 'await_approval', occasion })
  const userId = await finisherOf(tx, move.session, input.userId)
  await rejectWhereNobodyApproves(tx, move.session)
  const { id, applied } = await applyOnce(tx, personHere(move.session.syndicate_id, userId, input), occasion)
  await finishMove(tx, move, { user_id: userId, membership_id: id, applied }, occasion)
}

/** "A manager-approval syndicate emits pending_approval then completed; an auto-approving one emits completed directly." */
async function rejectWhereNobodyApproves(tx: Tx, { syndicate_id, status }: JoinSessionRow): Promise<void> {
  if ((await readSyndicate(tx, syndicate_id))?.auto_approval !== true) return
  const why = 'The syndicate approves automatically, so complete the session instead.'
  throw illegalTransition(JOIN_SESSION_MACHINE, { from: status, move: 'await_approval' }, why)
}

type Applied = { readonly id: Id<'membership'>; readonly applied: boolean }

/** A person with an open application does not apply again; a former member returns by joining. */
async function applyOnce(tx: Tx, person: PersonHere, occasion: Occasion): Promise<Applied> {
  const { id, status } = await lockStateOf(tx, person)
  // A member cannot apply, so no manager could ever approve, and the session would wait until it expires.
  if (status === 'member') {
    throw illegalTransition(MEMBERSHIP_MACHINE, { from: status, move: 'apply' }, 'This person is a member already.')
  }
  if (!allowedMoves(MEMBERSHIP_MACHINE, status).includes('apply')) return { id, applied: false }
  await applyForMembership(tx, { ...person, id }, occasion)
  return { id, applied: true }
}

function personHere(
  syndicateId: Id<'syndicate'>,
  userId: Id<'user'>,
  { membershipId }: Pick<FinishedFlow, 'membershipId'>,
): PersonHere {
  return { syndicateId, userId, ...(membershipId === undefined ? {} : { id: membershipId }) }
}

export type Completion = FinishedFlow & {
  /** Who approved the application, if there was one. */
  readonly approvedBy?: Id<'user'>
  readonly invitedEmail?: string
}

/**
 * "Person became a member; on approval or directly when auto-approving", and "accompanied by syndicate_member.joined":
 * the membership's own event, in this transaction, unless the person is a member already.
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

type Named = { readonly id: Id<'joinSession'> }

/** "Manager rejected a session awaiting approval": this also declines the application. */
export async function rejectJoinSession(tx: Tx, { id }: Named, occasion: Occasion): Promise<void> {
  const move = await beginMoveOf(tx, { id }, { move: 'reject', occasion })
  if (move.step.also.includes('decline_application')) await closeApplication(tx, move.session, 'decline', occasion)
  await finishMove(tx, move, {}, occasion)
}

/**
 * "Before completion". Withdraws an application that was made through the session. An application that was made earlier or
 * elsewhere stays, because the app does not own it. Canceling a session of the host platform always withdraws the application.
 */
export async function cancelJoinSession(tx: Tx, { id }: Named, occasion: Occasion): Promise<void> {
  const move = await beginMoveOf(tx, { id }, { move: 'cancel', occasion })
  const { made_here, applied } = move.session
  const own = applied || !made_here
  if (own && move.step.also.includes('withdraw_application'))
    await closeApplication(tx, move.session, 'withdraw', occasion)
  await finishMove(tx, move, {}, occasion)
}

/** "Before completion". The application stays open, because no person has withdrawn or declined it. */
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

/** An application that is already closed, or that led to a membership, does not change. */
async function closeApplication(
  tx: Tx,
  { membership_id: id }: JoinSessionRow,
  move: keyof typeof CLOSING,
  occasion: Occasion,
): Promise<void> {
  if (id === null) return
  const { status } = await lockStateById(tx, id, 'membership')
  if (allowedMoves(MEMBERSHIP_MACHINE, status).includes(move)) await CLOSING[move](tx, { id }, occasion)
}

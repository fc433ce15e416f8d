import { lockActiveUser, lockOwnersOf } from '#access/people/index.ts'
import { appendEvent, type EventNameOf, type NewEvent, type Occasion } from '#events/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { type Cents, parseCents } from '#kernel/money.ts'
import { illegalTransition, transition } from '#kernel/state-machine.ts'
import { readInvestment } from '#market/investments/index.ts'
import { readOffering } from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import {
  type FundingStatus,
  INVESTMENT_SESSION_MACHINE,
  type InvestmentSessionMove,
  type InvestmentSessionState,
  type KycStatus,
} from './investment-session-states.ts'
import { rejectUnstorableMetadata } from './session-input.ts'
import {
  type InvestmentSessionRow,
  insertInvestmentSession,
  lockInvestmentSession,
  setProgress,
  updateInvestmentSession,
} from './store.ts'

export type InvestmentSessionInput = {
  readonly id: Id<'investmentSession'>
  readonly offeringId: Id<'offering'>
  /** The recipient is given by email address, by user, or by both. */
  readonly email?: string
  readonly userId?: Id<'user'>
  /** If absent, the recipient chooses the amount. */
  readonly allocationCents?: Cents
  readonly successUrl?: string
  readonly metadata?: { readonly [key: string]: unknown }
  readonly installationId?: Id<'installation'>
  readonly expiresAt: string
}

export async function createInvestmentSession(
  tx: Tx,
  input: InvestmentSessionInput,
  occasion: Occasion,
): Promise<void> {
  const { events } = transition(INVESTMENT_SESSION_MACHINE, { from: 'none', move: 'create' })
  if (input.email === undefined && input.userId === undefined) throw noRecipient()
  if (input.userId !== undefined) await lockActiveUser(tx, 'user', input.userId)
  else if (input.email !== undefined) await lockOwnersOf(tx, 'email', input.email)
  if ((await readOffering(tx, input.offeringId)) === null) throw new UnknownReference('offering', input.offeringId)
  if (input.metadata !== undefined) await rejectUnstorableMetadata(tx, input.metadata)
  await insertInvestmentSession(tx, rowOf(input, occasion))
  const session = await lockedInvestmentSession(tx, input.id)
  for (const name of events) await appendEvent(tx, investmentSessionEvent(name, session, occasion.occurredAt), occasion)
}

function rowOf(input: InvestmentSessionInput, { occurredAt }: Occasion) {
  return {
    id: input.id,
    offeringId: input.offeringId,
    email: input.email ?? null,
    userId: input.userId ?? null,
    allocationCents: input.allocationCents ?? null,
    successUrl: input.successUrl ?? null,
    metadata: input.metadata ?? {},
    installationId: input.installationId ?? null,
    createdAt: occurredAt,
    expiresAt: input.expiresAt,
  }
}

function noRecipient() {
  return validationError([{ field: 'email', code: 'required', message: 'is required if the session names no user' }])
}

export type Start = {
  readonly id: Id<'investmentSession'>
  /** The person who opened the link, if the session is for an email address. */
  readonly userId?: Id<'user'>
}

/** "Recipient opened the link and began the hosted flow." */
export async function startInvestmentSession(tx: Tx, { id, userId }: Start, occasion: Occasion): Promise<void> {
  if (userId !== undefined) await lockActiveUser(tx, 'user', userId)
  const set = async ({ user_id }: InvestmentSessionRow) => {
    if (userId === undefined) return {}
    if (user_id !== null && user_id !== userId) throw otherRecipient('user')
    return { user_id: userId }
  }
  await moveInvestmentSession(tx, { id, move: 'start', set }, occasion)
}

function otherRecipient(field: string) {
  return validationError([
    { field, code: 'other_recipient', message: 'belongs to another person than the session’s recipient' },
  ])
}

type Made = { readonly id: Id<'investmentSession'>; readonly investmentId: Id<'investment'> }

/** "Recipient's investment created and confirmed": the investment must be the recipient's, in the offering of the session. */
export async function completeInvestmentSession(tx: Tx, { id, investmentId }: Made, occasion: Occasion): Promise<void> {
  const set = async (session: InvestmentSessionRow) => {
    const investment = await readInvestment(tx, investmentId)
    if (investment === null) throw new UnknownReference('investment', investmentId)
    if (investment.offering !== session.offering_id) throw otherOffering()
    if (session.user_id !== null && session.user_id !== investment.investor) throw otherRecipient('investment')
    if (!isConfirmed(investment)) throw notConfirmed()
    return { investment_id: investmentId, user_id: investment.investor }
  }
  await moveInvestmentSession(tx, { id, move: 'complete', set }, occasion)
}

/** A reservation needs no confirmation. */
function isConfirmed({ status, confirmed_at }: NonNullable<Awaited<ReturnType<typeof readInvestment>>>): boolean {
  return status === 'reserved' || ((status === 'active' || status === 'executed') && confirmed_at !== null)
}

function notConfirmed() {
  const message = 'is neither a confirmed investment nor an open reservation'
  return validationError([{ field: 'investment', code: 'not_confirmed', message }])
}

function otherOffering() {
  const message = 'is in another offering than the session’s'
  return validationError([{ field: 'investment', code: 'other_offering', message }])
}

type Move = (tx: Tx, session: { readonly id: Id<'investmentSession'> }, occasion: Occasion) => Promise<void>

/** The recipient left the page. No event is sent, because they may come back. */
export const abandonInvestmentSession: Move = simpleMove('abandon')

export const resumeInvestmentSession: Move = simpleMove('resume')

export const expireInvestmentSession: Move = simpleMove('expire')

/** "By the creating partner." */
export const cancelInvestmentSession: Move = simpleMove('cancel')

/** A move that sets only the state and its times. */
function simpleMove(move: InvestmentSessionMove): Move {
  return (tx, { id }, occasion) => moveInvestmentSession(tx, { id, move }, occasion)
}

export type Progress = {
  readonly id: Id<'investmentSession'>
  readonly kycStatus?: KycStatus
  readonly fundingStatus?: FundingStatus
}

/** Records the status of the recipient's checks and payment after the start. It changes no state and emits no event. */
export async function reportProgress(tx: Tx, { id, kycStatus, fundingStatus }: Progress): Promise<void> {
  const { status } = await lockedInvestmentSession(tx, id)
  if (status !== 'in_progress' && status !== 'abandoned') throw notUnderWay(status)
  await setProgress(tx, id, { kycStatus: kycStatus ?? null, fundingStatus: fundingStatus ?? null })
}

function notUnderWay(from: InvestmentSessionState) {
  type Move = InvestmentSessionMove | 'progress'
  return illegalTransition<InvestmentSessionState, Move>(INVESTMENT_SESSION_MACHINE, { from, move: 'progress' })
}

type Set = { readonly user_id?: Id<'user'>; readonly investment_id?: Id<'investment'> }
type Attempted = {
  readonly id: Id<'investmentSession'>
  readonly move: InvestmentSessionMove
  /** Returns the columns that the move sets in addition to the state. Called only if the state machine allows the move. */
  readonly set?: (session: InvestmentSessionRow) => Promise<Set>
}

/** Carries out one row of the state machine: sets the new state and its times, and records the row's events. */
async function moveInvestmentSession(tx: Tx, { id, move, set }: Attempted, occasion: Occasion): Promise<void> {
  const session = await lockedInvestmentSession(tx, id)
  const { to, events } = transition(INVESTMENT_SESSION_MACHINE, { from: stateAt(session, move, occasion), move })
  const moved = { ...session, ...(await set?.(session)), status: to }
  await updateInvestmentSession(tx, moved, {
    startedAt: to === 'in_progress' ? occasion.occurredAt : null,
    endedAt: ENDED.has(to) ? occasion.occurredAt : null,
  })
  for (const name of events) await appendEvent(tx, investmentSessionEvent(name, moved, occasion.occurredAt), occasion)
}

/**
 * From expires_at on, a session counts as expired, so a session that a caller has read as expired never becomes open again. A
 * move that happened before expires_at and is reported later is accepted until a worker has recorded the expiry.
 */
function stateAt(session: InvestmentSessionRow, move: InvestmentSessionMove, { occurredAt }: Occasion) {
  const unfinished = !ENDED.has(session.status)
  return unfinished && move !== 'expire' && occurredAt >= session.expires_at ? 'expired' : session.status
}

/** Without `abandoned`, because the recipient may come back. */
const ENDED: ReadonlySet<string> = new Set(['completed', 'expired', 'canceled'])

export async function lockedInvestmentSession(tx: Tx, id: Id<'investmentSession'>): Promise<InvestmentSessionRow> {
  const session = await lockInvestmentSession(tx, id)
  if (session === null) throw new UnknownReference('id', id)
  return session
}

/** Only the app that created the session receives the event; fan-out picks the installation. */
function investmentSessionEvent(
  name: EventNameOf<'investment_session'>,
  session: InvestmentSessionRow,
  occurredAt: WorldTime,
): NewEvent {
  const { installation_id, app_id, user_id, investment_id, email } = session
  return {
    name,
    subject: {
      companyId: session.company_id,
      offeringId: session.offering_id,
      investmentSessionId: session.id,
      ...(installation_id === null ? {} : { installationId: installation_id }),
      ...(app_id === null ? {} : { appId: app_id }),
      ...(user_id === null ? {} : { userId: user_id }),
      ...(investment_id === null ? {} : { investmentId: investment_id }),
    },
    occurredAt,
    data: {
      id: session.id,
      offering: session.offering_id,
      status: session.status,
      // `identity` overrides this with the address; after an erasure this null remains.
      email: null,
      allocation_cents: session.allocation_cents === null ? null : parseCents(session.allocation_cents),
      expires_at: session.expires_at,
      ...(investment_id === null ? {} : { investment: investment_id }),
    },
    ...(email === null ? {} : { identity: { email } }),
  }
}

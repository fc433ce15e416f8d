import { appendEvent, type EventData, type NewEvent, type Occasion } from '#events/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import { validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { ReferralSettings } from '../settings.ts'
import { findKey, insertKey, type Pair } from '../tokens/store.ts'
import { keyOrThrow, type OpaqueTokens, opaqueTokens, type TokenKeyBox } from '../tokens/token-keys.ts'
import { findLiveCode } from '../visits/store.ts'
import { type Click, type Credit, findClick, type Invested, insertCredit, lockActiveCode } from './store.ts'
import { amountTier, timeToInvest } from './tiers.ts'

/** The referral of an investment, if the host platform does the crediting. */
export type ReportedReferral = {
  readonly code: string
  /** When the link was followed; by default the time of the investment. */
  readonly clicked_at?: WorldTime | undefined
}

export type NewlyInvested = {
  readonly id: Id<'investment'>
  /** Null: the host platform credits no code. Omitted: our own clicks decide. */
  readonly referral?: ReportedReferral | null | undefined
}

type Around = { readonly occasion: Occasion; readonly settings: ReferralSettings }

/**
 * "An investment credited to a code, last click within a 30-day window." Runs right after an investment or a reservation was
 * made, in the same transaction, and only once. Only the click that the credit model chooses counts: if its code is paused, no
 * code is credited, even if another click has an active code.
 */
export async function creditInvestment(
  tx: Tx,
  { id, referral }: NewlyInvested,
  { occasion, settings }: Around,
): Promise<void> {
  if (referral === null) return
  const { invested, click } = await findClick(tx, id, settings)
  const counted = referral === undefined ? click : await reportedClick(tx, referral, invested)
  if (counted === null) return
  const code = await lockActiveCode(tx, counted.code)
  if (code === null) return
  const took = timeToInvest(counted.clicked_at, invested.applied_at)
  const credit = { invested, code, clickedAt: counted.clicked_at, timeToInvest: took }
  await insertCredit(tx, credit)
  await announce(tx, credit, { occasion, settings })
}

/**
 * Null for an unknown code: then no code is credited. The investment is not rejected, because it has already happened.
 */
async function reportedClick(tx: Tx, referral: ReportedReferral, { applied_at }: Invested): Promise<Click | null> {
  const clickedAt = referral.clicked_at ?? applied_at
  // World times compare as text.
  if (clickedAt > applied_at) {
    const message = 'must not be later than the investment'
    throw validationError([{ field: 'referral.clicked_at', code: 'too_late', message }])
  }
  const live = await findLiveCode(tx, referral.code)
  return live && { code: live.id, clicked_at: clickedAt }
}

async function announce(tx: Tx, credit: Credit, { occasion, settings }: Around): Promise<void> {
  const { invested, code } = credit
  const key = await keyOfPair(tx, settings.tokenKeys, { app: code.app, company: invested.company })
  const tokens = opaqueTokens(key, { investment: invested.id, investor: invested.investor })
  await appendEvent(tx, referredEvent(credit, { tokens, occurredAt: occasion.occurredAt }), occasion)
}

/** The key of an app's tokens for a company, created on first use. */
export async function keyOfPair(tx: Tx, box: TokenKeyBox, pair: Pair): Promise<Buffer> {
  const found = await findKey(tx, pair)
  if (found !== null) return keyOrThrow(box.open(pair, found), pair)
  await insertKey(tx, pair, box.make(pair))
  // Read again: if a concurrent transaction has inserted a key first, that key counts.
  const sealed = await findKey(tx, pair)
  if (sealed === null) throw new Error('a token key that was inserted cannot be found')
  return keyOrThrow(box.open(pair, sealed), pair)
}

type Made = { readonly tokens: OpaqueTokens; readonly occurredAt: WorldTime }

/**
 * "referral_code, company, and the anonymized row", with the values of this moment. Fan-out finds the receiving app by
 * the company and the code's app, and checks whether the company may still see the investment. The event does not name the
 * investor.
 */
export function referredEvent({ invested, code, timeToInvest }: Credit, { tokens, occurredAt }: Made): NewEvent {
  const { id, company, status, amount_cents, applied_at } = invested
  const data: EventData<'investment.referred'> = {
    referral_code: code.id,
    company,
    ...tokens,
    week: isoWeek(applied_at),
    amount_tier: amountTier(amount_cents),
    status,
    time_to_invest: timeToInvest,
  }
  const subject = { companyId: company, appId: code.app, investmentId: id }
  return { name: 'investment.referred', subject, occurredAt, data }
}

const DAY_MS = 86_400_000

/**
 * "ISO week, form YYYY-Www", in UTC: weeks begin on Monday, and a week belongs to the year of its Thursday. In PostgreSQL this is
 * to_char(… at time zone 'UTC', 'IYYY-"W"IW').
 */
export function isoWeek(at: WorldTime): string {
  const day = new Date(`${at.slice(0, 10)}T00:00:00Z`)
  const sinceMonday = (day.getUTCDay() + 6) % 7
  const thursday = new Date(day.getTime() + (3 - sinceMonday) * DAY_MS)
  const year = thursday.getUTCFullYear()
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7)
  return `${year}-W${String(week).padStart(2, '0')}`
}

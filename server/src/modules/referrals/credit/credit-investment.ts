import type { WorldTime } from '#kernel/clock.ts'
import { validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { appendEvent, type Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { ReferralSettings } from '../settings.ts'
import { keyOfPair } from '../tokens/key-of-pair.ts'
import { opaqueTokens } from '../tokens/opaque-tokens.ts'
import { findLiveCode } from '../visits/store.ts'
import { referredEvent } from './referred-event.ts'
import { type Click, type Credit, findClick, holdActiveCode, type Invested, insertCredit } from './store.ts'
import { timeToInvest } from './time-to-invest.ts'

/** What the host platform says of an investment's referral, where it does the crediting itself. */
export type ToldReferral = {
  readonly code: string
  /** When the link was followed; as the investment was made, where it does not say. */
  readonly clicked_at?: WorldTime | undefined
}

export type NewlyInvested = {
  readonly id: Id<'investment'>
  /** Null: the host platform says that nobody is to be credited. Left out: our own clicks decide. */
  readonly referral?: ToldReferral | null | undefined
}

type Around = { readonly occasion: Occasion; readonly settings: ReferralSettings }

/**
 * "An investment credited to a code, last click within a 30-day window." Right after an investment or a reservation was
 * made, in the same transaction, once and for all: one click decides, and where its code is paused nobody is credited, not
 * the one before it.
 */
export async function creditInvestment(
  tx: Tx,
  { id, referral }: NewlyInvested,
  { occasion, settings }: Around,
): Promise<void> {
  if (referral === null) return
  const { invested, click } = await findClick(tx, id, settings)
  const counted = referral === undefined ? click : await toldClick(tx, referral, invested)
  if (counted === null) return
  const code = await holdActiveCode(tx, counted.code)
  if (code === null) return
  const took = timeToInvest(counted.clicked_at, invested.applied_at)
  const credit = { invested, code, clickedAt: counted.clicked_at, timeToInvest: took }
  await insertCredit(tx, credit)
  await announce(tx, credit, { occasion, settings })
}

/** An investment is never refused for a code that nobody has: it has happened, and is credited to nobody. */
async function toldClick(tx: Tx, referral: ToldReferral, { applied_at }: Invested): Promise<Click | null> {
  const clickedAt = referral.clicked_at ?? applied_at
  // World times compare as text.
  if (clickedAt > applied_at) {
    const message = 'must not lie after the investment'
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

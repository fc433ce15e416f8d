import { appendEvent, type Occasion } from '#events/index.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { wholeUnits } from '#kernel/money.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type Brought, type LockedInvestment, lifecycleAfter } from './investment.ts'
import { investmentEvent } from './investment-event.ts'
import type { InvestmentTransition } from './investment-states.ts'
import { lockInvestment, tryLock, tryLockWithOffering, writeMove } from './store.ts'

/** Carries out a move that the table allowed: the row, the investor's totals, and exactly the events of the row. */
export async function performMove(
  tx: Tx,
  {
    before,
    move,
    ...brought
  }: { readonly before: LockedInvestment; readonly move: InvestmentTransition } & Omit<Brought, 'at'>,
  occasion: Occasion,
): Promise<void> {
  rejectBeforeItBegan(before, occasion)
  const after = lifecycleAfter(before, move, { ...brought, at: occasion.occurredAt })
  const { name, email, ...totals } = await writeMove(tx, before, after, occasion.occurredAt)
  for (const event of move.events) {
    const parts = { name: event, investment: { ...before, ...after }, totals, person: { name, email } }
    await appendEvent(tx, investmentEvent({ ...parts, extra: extraOf(event, before, after) }), occasion)
  }
}

/** A move dated before the investment was made, or before its cancellation, did not happen to it. World times compare as text. */
export function rejectBeforeItBegan({ applied_at, canceled_at }: LockedInvestment, { occurredAt }: Occasion): void {
  const since = canceled_at ?? applied_at
  if (occurredAt >= since) return
  throw validationError([{ field: 'occurred_at', code: 'too_early', message: `must not lie before ${since}` }])
}

type Before = Pick<LockedInvestment, 'amount_cents'>
type After = Pick<LockedInvestment, 'canceled_at' | 'converted_to'>

function extraOf(event: InvestmentTransition['events'][number], before: Before, after: After) {
  if (event === 'investment.canceled' && after.canceled_at !== null) return { canceled_at: after.canceled_at }
  if (event === 'investment.converted') return { converted_to: after.converted_to }
  if (event === 'investment.amount_changed' && before.amount_cents !== null) {
    return { previous_amounts: { committed: wholeUnits(before.amount_cents) } }
  }
  return {}
}

/** From here until the end of the transaction nobody else moves this investment, nor another of its investor's raise. */
export function lockInvestmentAndTotals(tx: Tx, id: Id<'investment'>): Promise<LockedInvestment> {
  return insistOn(tx, id, tryLock)
}

/** Nor does its offering change. */
export function lockInvestmentAndOffering(
  tx: Tx,
  id: Id<'investment'>,
): Promise<LockedInvestment & { readonly offering_status: string }> {
  return insistOn(tx, id, tryLockWithOffering)
}

/**
 * That there is no row tells us nothing of the investment. Either it was not there yet, and may be by now: then we hold
 * nothing, and it may be moved as soon as we look. Or it moved while we waited. So it is locked by itself, which no move
 * can prevent, before we look again: what is held stays where it is.
 */
async function insistOn<T>(
  tx: Tx,
  id: Id<'investment'>,
  attempt: (tx: Tx, id: Id<'investment'>) => Promise<T | null>,
): Promise<T> {
  const atOnce = await attempt(tx, id)
  if (atOnce !== null) return atOnce
  if ((await lockInvestment(tx, id)) === null) throw new UnknownReference('id', id)
  const held = await attempt(tx, id)
  if (held === null) throw new Error(`investment ${id} is held and has no totals`)
  return held
}

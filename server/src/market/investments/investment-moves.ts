import { appendEvent, appendEvents, type Occasion } from '#events/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { type Cents, wholeUnits } from '#kernel/money.ts'
import { illegalTransition, transition } from '#kernel/state-machine.ts'
import { cancelOfferingAlone } from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { lockSuccessor } from './conversion-store.ts'
import { type LockedInvestment, lifecycleAfter, type MoveInputs, rejectBrokenUnits, type Which } from './investment.ts'
import { investmentEvent } from './investment-event.ts'
import {
  amountMove,
  INVESTMENT_MACHINE,
  type InvestmentState,
  type InvestmentTransition,
  moveInvestment,
} from './investment-states.ts'
import { type Canceled, cancelBatch, lockInvestmentsOf } from './step-store.ts'
import { lockInvestment, tryLock, tryLockWithOffering, writeMove } from './store.ts'

/** "Contracts fully executed and funds released to company." */
export async function executeInvestment(tx: Tx, { id }: Which, occasion: Occasion): Promise<void> {
  const before = await lockInvestmentAndTotals(tx, id)
  await performMove(tx, { before, move: moveInvestment(before.status, 'execute') }, occasion)
}

export async function cancelInvestment(tx: Tx, { id }: Which, occasion: Occasion): Promise<void> {
  const before = await lockInvestmentAndTotals(tx, id)
  await performMove(tx, { before, move: moveInvestment(before.status, 'cancel') }, occasion)
}

/** A change to zero cancels the investment. A change to the current amount is rejected, because a fact must report a change. */
export async function changeAmount(
  tx: Tx,
  { id, amount_cents }: Which & { readonly amount_cents: Cents },
  occasion: Occasion,
): Promise<void> {
  rejectBrokenUnits('amount_cents', amount_cents, 0)
  const before = await lockInvestmentAndTotals(tx, id)
  const move = moveInvestment(before.status, amountMove(amount_cents))
  if (amount_cents === before.amount_cents) {
    throw validationError([{ field: 'amount_cents', code: 'unchanged', message: 'is already the amount' }])
  }
  await performMove(tx, { before, move, amount: amount_cents }, occasion)
}

/** `to` is null while the successor is unknown; `resolveConversion` sets it later. */
export async function convertInvestment(
  tx: Tx,
  { id, to }: Which & { readonly to: Id<'investment'> | null },
  occasion: Occasion,
): Promise<void> {
  if (to !== null) await lockSuccessor(tx, { id, to })
  const before = await lockInvestmentAndTotals(tx, id)
  await performMove(tx, { before, move: moveInvestment(before.status, 'convert'), successor: to }, occasion)
}

/**
 * Reinstating is possible only within the grace period, which begins at the cancellation. The check compares the times at which
 * the host platform canceled and reinstated the investment (in world time), not the times at which it reported this. An
 * investment in a canceled offering cannot be reinstated, because its money is refunded. An investment in a closing or closed
 * offering can be reinstated, because it is not a new investment.
 */
export async function reinstate(
  tx: Tx,
  { id, graceDays }: Which & { readonly graceDays: number },
  occasion: Occasion,
): Promise<void> {
  const before = await lockInvestmentAndOffering(tx, id)
  const move = reinstateInvestment(reinstatable(before), { now: occasion.occurredAt, graceDays })
  if (before.offering_status === 'canceled') {
    throw illegalTransition(INVESTMENT_MACHINE, { from: before.status, move: 'reinstate' }, 'Its offering is canceled.')
  }
  await performMove(tx, { before, move }, occasion)
}

function reinstatable({ status, status_before_cancel: was, canceled_at }: LockedInvestment): Reinstatable {
  if (status !== 'canceled') return { status }
  if (was === null || canceled_at === null)
    throw new TypeError('a canceled investment has no previous state or no time of its cancellation')
  return { status, was, canceledAt: canceled_at }
}

/** The specification does not define the length of the grace period, so it is a setting with this default. */
export const REINSTATEMENT_GRACE_DAYS = 7

const MICROSECONDS_PER_DAY = 24 * 60 * 60 * 1_000_000

/** A canceled investment stores its previous status and the time of the cancellation. */
export type Reinstatable =
  | { readonly status: Exclude<InvestmentState, 'canceled'> }
  | { readonly status: 'canceled'; readonly was: 'active' | 'reserved'; readonly canceledAt: WorldTime }

/**
 * "Canceled investment or reservation reinstated within grace period": it gets its previous status back. A move at the
 * very end of the period is still possible.
 */
export function reinstateInvestment(
  investment: Reinstatable,
  { now, graceDays }: { readonly now: WorldTime; readonly graceDays: number },
): InvestmentTransition {
  const attempt = { from: investment.status, move: 'reinstate' as const }
  if (investment.status !== 'canceled') return transition(INVESTMENT_MACHINE, attempt)
  const elapsed = microseconds(now) - microseconds(investment.canceledAt)
  if (elapsed > graceDays * MICROSECONDS_PER_DAY) {
    const days = graceDays === 1 ? '1 day' : `${graceDays} days`
    throw illegalTransition(INVESTMENT_MACHINE, attempt, `The grace period of ${days} is over.`)
  }
  return transition(INVESTMENT_MACHINE, { ...attempt, into: investment.was })
}

/** A Date has no microseconds, so only the whole seconds are parsed as a Date. The result is exact until the year 2255. */
function microseconds(time: WorldTime): number {
  return Date.parse(`${time.slice(0, 19)}Z`) * 1_000 + Number(time.slice(20, 26))
}

/** How many investments are in memory at a time; an offering may have a hundred thousand. */
const BATCH_SIZE = 1_000

/** The transition of each investment of a canceled offering; active and reserved investments have the same transition. */
const CANCEL = moveInvestment('active', 'cancel')

/**
 * "Canceled; investments refunded": cancels the offering, then each of its active and reserved investments with its own
 * investment.canceled. A batch of a thousand investments takes two statements. All batches are in this transaction.
 */
export async function cancelOffering(
  tx: Tx,
  { id, batchSize = BATCH_SIZE }: { readonly id: Id<'offering'>; readonly batchSize?: number },
  occasion: Occasion,
): Promise<void> {
  const offering = await cancelOfferingAlone(tx, { id }, occasion)
  await lockInvestmentsOf(tx, offering)
  let canceled: readonly Canceled[]
  let after = ''
  do {
    canceled = await cancelBatch(tx, offering, { after, size: batchSize, to: CANCEL.to, at: occasion.occurredAt })
    if (canceled.length > 0)
      await appendEvents(
        tx,
        canceled.flatMap((each) => eventsOf(each, occasion)),
        occasion,
      )
    after = canceled.at(-1)?.id ?? after
  } while (canceled.length === batchSize)
}

function eventsOf(canceled: Canceled, { occurredAt }: Occasion) {
  const investment = { ...canceled, status: CANCEL.to }
  const parts = { investment, totals: canceled, person: canceled, extra: { canceled_at: occurredAt } }
  return CANCEL.events.map((name: InvestmentTransition['events'][number]) => investmentEvent({ name, ...parts }))
}

/** Carries out a move that the table allowed: updates the row and the investor's totals, and records exactly the table's events. */
async function performMove(
  tx: Tx,
  {
    before,
    move,
    ...inputs
  }: { readonly before: LockedInvestment; readonly move: InvestmentTransition } & Omit<MoveInputs, 'at'>,
  occasion: Occasion,
): Promise<void> {
  rejectTooEarly(before, occasion)
  const after = lifecycleAfter(before, move, { ...inputs, at: occasion.occurredAt })
  const { name, email, ...totals } = await writeMove(tx, before, after, occasion.occurredAt)
  for (const event of move.events) {
    const parts = { name: event, investment: { ...before, ...after }, totals, person: { name, email } }
    await appendEvent(tx, investmentEvent({ ...parts, extra: extraOf(event, before, after) }), occasion)
  }
}

/** Rejects a move dated before the investment was made or canceled. World times can be compared as text. */
export function rejectTooEarly({ applied_at, canceled_at }: LockedInvestment, { occurredAt }: Occasion): void {
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

/** Locks the investment and its investor's totals in the raise, so that moves of one investor in one raise happen one after the other. */
export function lockInvestmentAndTotals(tx: Tx, id: Id<'investment'>): Promise<LockedInvestment> {
  return retryIfCreated(tx, id, tryLock)
}

/** Like `lockInvestmentAndTotals`, and also locks the offering. */
export function lockInvestmentAndOffering(
  tx: Tx,
  id: Id<'investment'>,
): Promise<LockedInvestment & { readonly offering_status: string }> {
  return retryIfCreated(tx, id, tryLockWithOffering)
}

/**
 * Retries an attempt to lock an investment. An attempt finds no row if the investment did not exist when the statement began. A
 * concurrent transaction may have created it since, so a second statement looks for it. If it exists now, the attempt is repeated.
 */
async function retryIfCreated<T>(
  tx: Tx,
  id: Id<'investment'>,
  attempt: (tx: Tx, id: Id<'investment'>) => Promise<T | null>,
): Promise<T> {
  const found = await attempt(tx, id)
  if (found !== null) return found
  if ((await lockInvestment(tx, id)) === null) throw new UnknownReference('id', id)
  const locked = await attempt(tx, id)
  if (locked === null) throw new Error(`investment ${id} is locked but has no totals`)
  return locked
}

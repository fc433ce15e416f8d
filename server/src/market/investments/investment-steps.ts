import { deactivateUser } from '#access/people/index.ts'
import { eraseFromEvents, type Forgotten, type Occasion } from '#events/index.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { illegalTransition } from '#kernel/state-machine.ts'
import type { Tx } from '#system/postgres/database.ts'
import { lockSuccessor, writeSuccessor } from './conversion-store.ts'
import { type Check, type CheckState, rejectBrokenUnits, type Which } from './investment.ts'
import { lockInvestmentAndTotals } from './investment-moves.ts'
import { INVESTMENT_MACHINE, type InvestmentMove, type InvestmentState } from './investment-states.ts'
import { type Payment, setCheckState, setConfirmed, setHidden, setPayment } from './step-store.ts'
import { eraseInvestor, findStatus, isDeactivated, writeDetails } from './store.ts'

/** The investor has sent the money, but it has not arrived in escrow. */
export async function expectPayment(tx: Tx, { id }: Which, _occasion: Occasion): Promise<void> {
  await change(tx, id, { step: 'expect_payment', state: 'pending' })
}

/** The payment is in escrow: the given amount, or by default the whole commitment. */
export async function receivePayment(
  tx: Tx,
  { id, in_escrow_cents }: Which & { readonly in_escrow_cents?: Cents },
  _occasion: Occasion,
): Promise<void> {
  if (in_escrow_cents !== undefined) rejectBrokenUnits('in_escrow_cents', in_escrow_cents)
  await change(tx, id, { step: 'receive_payment', state: 'received', in_escrow_cents: in_escrow_cents ?? null })
}

export async function failPayment(tx: Tx, { id }: Which, _occasion: Occasion): Promise<void> {
  await change(tx, id, { step: 'fail_payment', state: 'failed' })
}

export async function refundPayment(tx: Tx, { id }: Which, _occasion: Occasion): Promise<void> {
  await change(tx, id, { step: 'refund_payment', state: 'refunded' })
}

async function change(
  tx: Tx,
  id: Id<'investment'>,
  { step, state, in_escrow_cents = null }: Pick<Payment, 'state'> & Partial<Payment> & { readonly step: Step },
): Promise<void> {
  if (!(await setPayment(tx, id, { state, in_escrow_cents }, statesFor(step)))) await rejectStep(tx, id, step)
}

/**
 * A confirmed investment counts toward the raise. The host platform decides when to confirm it, even if the payment or a check
 * is still open.
 */
export async function confirmInvestment(tx: Tx, { id }: Which, { occurredAt }: Occasion): Promise<void> {
  if (!(await setConfirmed(tx, id, occurredAt, statesFor('confirm')))) await rejectStep(tx, id, 'confirm')
}

/** Sets the state of one of the four checks. Every change is possible: a passed check can turn out to be wrong. */
export async function setCheck(
  tx: Tx,
  { id, check, state }: Which & { readonly check: Check; readonly state: CheckState },
  _occasion: Occasion,
): Promise<void> {
  if (!(await setCheckState(tx, id, check, state))) throw new UnknownReference('id', id)
}

/**
 * The company no longer sees the investment; the investor still sees it. Hiding a hidden investment changes nothing.
 */
export async function hideInvestment(tx: Tx, { id }: Which, _occasion: Occasion): Promise<void> {
  if (!(await setHidden(tx, id, true))) throw new UnknownReference('id', id)
}

export async function unhideInvestment(tx: Tx, { id }: Which, _occasion: Occasion): Promise<void> {
  if (!(await setHidden(tx, id, false))) throw new UnknownReference('id', id)
}

/**
 * Sets the successor of a conversion that was reported without a successor. No state changes and no event is sent,
 * because the conversion itself happened before.
 */
export async function resolveConversion(
  tx: Tx,
  { id, to }: Which & { readonly to: Id<'investment'> },
  _occasion: Occasion,
): Promise<void> {
  await lockSuccessor(tx, { id, to })
  if (!(await writeSuccessor(tx, id, to))) await rejectStep(tx, id, 'resolve_conversion')
}

/**
 * Steps that change an investment but not its state, each with the states in which it is possible.
 * - Payments: a reservation is not binding and takes no money; a converted investment is paid through its successor. A payment
 *   that was pending when the investment was canceled can still be received, and is then refunded.
 * - `confirm` is possible once, and only before the execution, because an executed investment counts as confirmed.
 * - `resolve_conversion` is possible once, and only on a converted investment.
 * Checks, hiding and details are possible in every state, because a result may come late.
 */
const POSSIBLE_IN = {
  expect_payment: ['active', 'executed', 'canceled'],
  receive_payment: ['active', 'executed', 'canceled'],
  fail_payment: ['active', 'executed', 'canceled'],
  refund_payment: ['active', 'executed', 'canceled'],
  confirm: ['active'],
  resolve_conversion: ['converted'],
} as const satisfies Readonly<Record<string, readonly InvestmentState[]>>

type Step = keyof typeof POSSIBLE_IN

function statesFor(step: Step): readonly InvestmentState[] {
  return POSSIBLE_IN[step]
}

const WHY: Partial<Record<Step, Partial<Record<InvestmentState, string>>>> = {
  confirm: { active: 'It is confirmed already.', executed: 'It is executed, which implies that it was confirmed.' },
  resolve_conversion: { converted: 'Its successor is known already.' },
}
const WHY_NO_MONEY: Partial<Record<InvestmentState, string>> = {
  reserved: 'A reservation takes no money: it converts into an investment first.',
  converted: 'Its money belongs to its successor.',
}

/** Called when a step changed no row: reports an unknown investment, or one whose state does not allow the step. */
async function rejectStep(tx: Tx, id: Id<'investment'>, step: Step): Promise<never> {
  const status = await findStatus(tx, id)
  if (status === null) throw new UnknownReference('id', id)
  const why = step.endsWith('_payment') ? WHY_NO_MONEY[status] : WHY[step]?.[status]
  throw illegalTransition<InvestmentState, InvestmentMove | Step>(INVESTMENT_MACHINE, { from: status, move: step }, why)
}

export type Contract = {
  readonly name: string | null
  readonly override_amount_cents: Cents | null
  readonly early_bird: boolean
}

/** Both values are decimal strings. */
export type Shares = { readonly count: string; readonly average_price: string }

export type Details = {
  /** The entity through which the investor invests; null if they invest in their own name. */
  readonly entity_name?: string | null
  readonly message?: string | null
  readonly external_username?: string | null
  readonly contracts?: readonly Contract[]
  readonly shares?: Shares | null
}

/** Personal fields, which must stay empty once the investor is deactivated. */
const PERSONAL = ['entity_name', 'message', 'external_username'] as const

/**
 * Changes only the given fields. Locks the investor's totals before it checks whether the investor was deactivated. The
 * deactivation takes the same lock before it erases, so the two happen one after the other.
 */
export async function changeDetails(
  tx: Tx,
  { id, shares, ...fields }: Which & Details,
  _occasion: Occasion,
): Promise<void> {
  const { investor } = await lockInvestmentAndTotals(tx, id)
  const personal = PERSONAL.filter((field) => (fields[field] ?? null) !== null)
  if (personal.length > 0 && (await isDeactivated(tx, investor))) {
    const message = 'is personal, and the investor was deactivated'
    throw validationError(personal.map((field) => ({ field, code: 'deactivated', message })))
  }
  await writeDetails(tx, id, { ...fields, ...(shares === undefined ? {} : sharesColumns(shares)) })
}

function sharesColumns(shares: Shares | null) {
  return { shares: shares?.count ?? null, average_share_price: shares?.average_price ?? null }
}

/**
 * Erases the person from the user's row, the investments and every event that names them. The investments and their amounts
 * stay. Returns false if the user was already deactivated.
 *
 * First locks the user's row, which stops new investments. Then locks all investments and totals of the user, which
 * waits for concurrent moves. After that no new event can contain the name.
 */
export async function deactivateInvestor(tx: Tx, person: Forgotten, occasion: Occasion): Promise<boolean> {
  const deactivated = await deactivateUser(tx, person.id, occasion)
  if (!deactivated) return false
  await eraseInvestor(tx, person.id)
  await eraseFromEvents(tx, person)
  return true
}

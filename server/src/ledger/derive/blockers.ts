import type { CheckState } from '#market/investments/index.ts'
import { type Facts, refundDue } from './facts.ts'

/** "`blockers[].key`: needs_id, needs_accreditation, needs_signature, needs_payment, needs_review." */
export type BlockerKey = 'needs_id' | 'needs_accreditation' | 'needs_signature' | 'needs_payment' | 'needs_review'
export type Blocker = { readonly key: BlockerKey; readonly description: string }

type Open = Exclude<CheckState, 'not_required' | 'passed'>
type Sentences = Readonly<Record<Open, string>>

const IDENTITY: Sentences = {
  required: 'The investor has yet to prove who they are.',
  pending: 'The investor’s identity is being checked.',
  failed: 'The investor’s identity could not be confirmed.',
}
const ACCREDITATION: Sentences = {
  required: 'The investor has yet to show that they are accredited.',
  pending: 'The investor’s accreditation is being checked.',
  failed: 'The investor’s accreditation could not be confirmed.',
}
const SIGNATURE: Sentences = {
  required: 'The contract has yet to be signed.',
  pending: 'The contract is being signed.',
  failed: 'The contract was not signed.',
}
const REVIEW: Sentences = {
  required: 'The investment has yet to be reviewed.',
  pending: 'The investment is being reviewed.',
  failed: 'The review was not passed.',
}

/** A payment that is on its way blocks nothing, because the investor has nothing left to do. */
const PAYMENT: Readonly<Partial<Record<Facts['payment'], string>>> = {
  none: 'The payment has yet to be made.',
  failed: 'The payment failed.',
  refunded: 'The payment was refunded.',
}
const PART_IS_MISSING = 'Less has been paid than was committed.'

/** An executed, canceled or converted investment waits for nothing. */
export function blockersOf(facts: Facts): Blocker[] {
  return facts.status === 'active' || facts.status === 'reserved' ? obstaclesOf(facts) : []
}

/** What blocks the investment, or blocked it when it ended, in the order in which an investor takes the steps. */
function obstaclesOf(facts: Facts): Blocker[] {
  const payment = missingPayment(facts)
  return [
    ...check('needs_id', facts.identity, IDENTITY),
    ...check('needs_accreditation', facts.accreditation, ACCREDITATION),
    ...check('needs_signature', facts.signature, SIGNATURE),
    ...(payment === undefined ? [] : [{ key: 'needs_payment' as const, description: payment }]),
    ...check('needs_review', facts.review, REVIEW),
  ]
}

/**
 * A reservation takes no money. `in_escrow_cents` is the total in escrow for this investment now (fact
 * `investment.payment_received`). If it is less than committed, for example after the amount was increased, the rest is still to
 * be paid.
 */
function missingPayment(facts: Facts): string | undefined {
  const { status, payment, in_escrow_cents, amount_cents, last_amount_cents } = facts
  if (status === 'reserved') return undefined
  if (payment === 'received') {
    return in_escrow_cents < (amount_cents ?? last_amount_cents) ? PART_IS_MISSING : undefined
  }
  return PAYMENT[payment]
}

function check(key: BlockerKey, state: CheckState, sentences: Sentences): Blocker[] {
  return state === 'not_required' || state === 'passed' ? [] : [{ key, description: sentences[state] }]
}

/** "`group`: RESERVED, NO PAYMENT YET, PENDING, IS READY, CONFIRMED." */
export const GROUPS = ['RESERVED', 'NO PAYMENT YET', 'PENDING', 'IS READY', 'CONFIRMED'] as const
export type Group = (typeof GROUPS)[number]

/**
 * The group on the founder's dashboard: by the payment first, then by the other steps that are open. A confirmed
 * investment stays CONFIRMED even if a step is open. If its money was refunded, it is no longer CONFIRMED, because the
 * investor has to pay again. IS READY means that the investment is paid in full and no step is open. A converted
 * investment, which only its investor still sees, keeps its group. A canceled investment keeps its group "while
 * something is owed, else NO PAYMENT YET (RESERVED for a reservation)".
 */
export function groupOf(facts: Facts): Group {
  if (isReservation(facts)) return 'RESERVED'
  if (facts.status === 'canceled' && refundDue(facts) === 0) return 'NO PAYMENT YET'
  if (facts.status === 'executed' || (facts.confirmed && facts.payment !== 'refunded')) return 'CONFIRMED'
  if (facts.payment === 'pending') return 'PENDING'
  if (facts.payment !== 'received') return 'NO PAYMENT YET'
  return obstaclesOf(facts).length > 0 ? 'PENDING' : 'IS READY'
}

/** A converted investment does not say whether it was a reservation. It was one if its offering tests the waters. */
function isReservation({ status, status_before_cancel: before, testing_the_waters }: Facts): boolean {
  if (status === 'converted') return testing_the_waters
  return (before ?? status) === 'reserved'
}

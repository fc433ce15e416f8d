import type { Cents } from '#kernel/money.ts'
import type { Facts } from './facts.ts'
import { isVisible } from './visible.ts'

export type Amounts = {
  readonly committed_cents: Cents
  readonly investment_size_cents: Cents
  readonly in_escrow_cents: Cents
  readonly raised_cents: Cents
  readonly currency: string
}

const NOTHING = 0 as Cents

/** "Inferred: awaiting soft-confirm (raised_cents 0 meanwhile)." Reservations are counted as they come. */
export function needsWhitelisting({ status, confirmed }: Pick<Facts, 'status' | 'confirmed'>): boolean {
  return status === 'active' && !confirmed
}

/**
 * "raised_cents: what counts toward the raise … = investment_size_cents once soft-confirmed, else 0"; what the company
 * does not see is not counted either, so that the sum over an offering is the figure its page shows.
 * An amount edited to zero is zero: the field is an integer, and clients break on a null.
 */
export function amountsOf(facts: Facts): Amounts {
  const committed = facts.amount_cents ?? NOTHING
  const counts = isVisible(facts) && !needsWhitelisting(facts)
  return {
    committed_cents: committed,
    investment_size_cents: committed,
    in_escrow_cents: facts.in_escrow_cents,
    raised_cents: counts ? committed : NOTHING,
    currency: facts.currency,
  }
}

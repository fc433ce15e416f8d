import type { Static } from 'typebox'
import type { WorldTime } from '#kernel/clock.ts'
import { addCents, type Cents, wholeUnits } from '#kernel/money.ts'
import type { InvestorTotals as Schema } from './data/investment.ts'

export type InvestorTotals = Static<typeof Schema>

type Remaining = { readonly status: 'active' | 'reserved' | 'executed'; readonly committedCents: Cents }
/** The amount is null if an edit to zero canceled the investment. */
type Gone = { readonly status: 'canceled' | 'converted'; readonly committedCents: Cents | null }

/** One investment of an investor in a raise. */
export type InvestorPart = (Remaining | Gone) & { readonly appliedAt: WorldTime }

/**
 * investor_totals of an event, from all of the investor's investments in the company's offerings of the raise, after
 * the move that caused the event.
 *
 * "active while any remain": an investment remains unless it was canceled or converted.
 * - A reservation counts: the event that announces the investor's only reservation must not call the investor gone.
 * - An executed investment counts: the money went to the company, so the investor has invested for good; without it,
 *   investment.executed would report every investor of a successful raise as none_active.
 * - A converted investment does not count: its successor counts, and the same money must not count twice.
 *
 * latest_applied_at is the latest of the investments that remain. It is null if none remains.
 */
export function investorTotals(parts: readonly InvestorPart[]): InvestorTotals {
  const remaining = parts.filter(remains)
  return {
    active_investment_count: remaining.length,
    total_committed: wholeUnits(addCents(remaining.map(({ committedCents }) => committedCents))),
    latest_applied_at: remaining.map(({ appliedAt }) => appliedAt).reduce(later, null),
    investor_status: remaining.length === 0 ? 'none_active' : 'active',
  }
}

function remains(part: InvestorPart): part is Remaining & { readonly appliedAt: WorldTime } {
  return part.status === 'active' || part.status === 'reserved' || part.status === 'executed'
}

/** World times compare as text. */
function later(a: WorldTime | null, b: WorldTime): WorldTime {
  return a === null || a < b ? b : a
}

import { POSITION_STATUSES, type PositionStatus } from '../worth/position-status.ts'
import { type Amounts, addUp, returnMultiple, shownAmounts } from '../worth/total-worth.ts'

/** A position as far as totals are concerned. */
export type Counted = {
  readonly status: PositionStatus
  readonly currency: string
  readonly amounts: Amounts
}

/** What the totals of nothing are in. */
const USUAL_CURRENCY = 'usd'

/**
 * The totals have one currency, and euros do not add up with dollars: they are those of the currency with most positions,
 * and each currency has its own beside them.
 */
export function totalsOf(positions: readonly Counted[]) {
  const byCurrency = [...Map.groupBy(positions, ({ currency }) => currency)]
    .toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
    .map(([currency, those]) => totalsIn(currency, those))
  return { ...(byCurrency[0] ?? totalsIn(USUAL_CURRENCY, [])), by_currency: byCurrency }
}

export function countsOf(positions: readonly Counted[]): Record<PositionStatus, number> {
  const counts = POSITION_STATUSES.map((status) => [status, positions.filter((one) => one.status === status).length])
  return Object.fromEntries(counts) as Record<PositionStatus, number>
}

function totalsIn(currency: string, positions: readonly Counted[]) {
  const amounts = addUp(positions.map((position) => position.amounts))
  const shown = shownAmounts(amounts)
  return {
    currency,
    total_cost_basis_cents: shown.cost_basis_cents,
    total_current_value_cents: shown.current_value_cents,
    total_unrealized_gain_cents: shown.unrealized_gain_cents,
    total_realized_gain_cents: shown.realized_gain_cents,
    return_multiple: returnMultiple(amounts),
  }
}

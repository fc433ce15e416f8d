import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { POSITION_STATUSES, type PositionStatus, positionStatus } from '../worth/position-status.ts'
import { stakeWorth } from '../worth/stake-worth.ts'
import { type Amounts, addUp, returnMultiple, shownAmounts } from '../worth/total-worth.ts'
import { knownCompany } from './known-company.ts'
import type { Slice, Summary } from './schemas.ts'
import { aftermathOf, type StakeRow, stakeOf } from './stake-sql-store.ts'
import { stakesOf } from './summary-store.ts'

/** The totals of an investor's portfolio, or of a slice of it. */
export async function summarizePortfolio(queries: WorldQueries, investor: Id<'user'>, slice: Slice): Promise<Summary> {
  const company = await knownCompany(queries, investor, slice.company)
  const rows = await stakesOf(queries, investor, company)
  const positions = [...Map.groupBy(rows, ({ offering_id }) => offering_id).values()].flatMap(positionOf)
  return summaryOf(positions.filter(({ status }) => slice.status === undefined || status === slice.status))
}

type Position = {
  readonly status: PositionStatus
  readonly currency: string
  readonly amounts: Amounts
  readonly asOf: string
}

function positionOf(rows: readonly StakeRow[]): Position[] {
  const [first] = rows
  if (first === undefined) return []
  const [stakes, aftermath] = [rows.map(stakeOf), aftermathOf(first)]
  return [
    {
      status: positionStatus(stakes, aftermath.exit),
      currency: first.currency,
      amounts: addUp(stakes.map((stake) => stakeWorth(stake, aftermath))),
      asOf: first.as_of,
    },
  ]
}

/** What the totals of nothing are in. */
const USUAL_CURRENCY = 'usd'

/**
 * The totals have one currency, and euros do not add up with dollars: they are those of the currency with most positions,
 * and each currency has its own beside them.
 */
function summaryOf(positions: readonly Position[]): Summary {
  const byCurrency = [...Map.groupBy(positions, ({ currency }) => currency)]
    .toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
    .map(([currency, those]) => totalsOf(currency, those))
  const counts = POSITION_STATUSES.map((status) => [status, positions.filter((one) => one.status === status).length])
  return {
    type: 'portfolio_summary',
    attributes: {
      ...(byCurrency[0] ?? totalsOf(USUAL_CURRENCY, [])),
      by_currency: byCurrency,
      position_counts: Object.fromEntries(counts) as Record<PositionStatus, number>,
      as_of: positions[0]?.asOf ?? null,
    },
  }
}

function totalsOf(currency: string, positions: readonly Position[]) {
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

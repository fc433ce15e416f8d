import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { positionStatus } from '../worth/position-status.ts'
import { stakeWorth } from '../worth/stake-worth.ts'
import { addUp } from '../worth/total-worth.ts'
import { knownCompany } from './known-company.ts'
import type { Slice, Summary } from './schemas.ts'
import { aftermathOf, type StakeRow, stakeOf } from './stake-sql-store.ts'
import { stakesOf } from './summary-store.ts'
import { type Counted, countsOf, totalsOf } from './totals.ts'

/** The totals of an investor's portfolio, or of a slice of it. */
export async function summarizePortfolio(queries: WorldQueries, investor: Id<'user'>, slice: Slice): Promise<Summary> {
  const company = await knownCompany(queries, investor, slice.company)
  const rows = await stakesOf(queries, investor, company)
  const all = [...Map.groupBy(rows, ({ offering_id }) => offering_id).values()].flatMap(positionOf)
  const positions = all.filter(({ status }) => slice.status === undefined || status === slice.status)
  return {
    type: 'portfolio_summary',
    attributes: {
      ...totalsOf(positions),
      position_counts: countsOf(positions),
      as_of: positions[0]?.asOf ?? null,
    },
  }
}

type Position = Counted & { readonly asOf: string }

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

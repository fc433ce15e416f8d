import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import type { Slice } from '../view/schemas.ts'
import { countsOf, totalsOf } from '../view/totals.ts'
import { dealTotals } from './deal-sums-store.ts'
import { knownCompany } from './known-company.ts'
import { amountsOf, statusOf } from './position-record.ts'
import type { SyndicateSummary } from './schemas.ts'

/** "Funded deals, summed over all holders (not only current members), aggregate only." */
export async function summarizeSyndicate(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  slice: Slice,
): Promise<SyndicateSummary> {
  const company = await knownCompany(queries, syndicate, slice.company)
  const rows = await dealTotals(queries, syndicate, { company, status: slice.status ?? null })
  const all = rows.find(({ offering_id }) => offering_id === null)
  const deals = rows.flatMap((row) =>
    row.currency === null ? [] : { status: statusOf(row), currency: row.currency, amounts: amountsOf(row) },
  )
  return {
    type: 'syndicate_portfolio_summary',
    attributes: {
      ...totalsOf(deals),
      deal_counts: countsOf(deals),
      investor_count: all?.investor_count ?? 0,
      as_of: all?.as_of ?? null,
    },
  }
}

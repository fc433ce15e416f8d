import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { STAKE_COLUMNS, STAKE_TABLES, type StakeRow } from './stake-sql-store.ts'

const STAKES = statement<StakeRow>(
  'portfolio.stakes',
  `select ${STAKE_COLUMNS}
     from (select id, offering_id, currency, amount_cents, applied_at, shares, average_share_price
             from investments
            where investor_id = $1 and status = 'executed' and ($2::text is null or company_id = $2) offset 0) s
     ${STAKE_TABLES}`,
)

/** All that an investor has or had, in one company if one is named: as much as is theirs, however much there is. */
export async function stakesOf(
  queries: WorldQueries,
  investor: Id<'user'>,
  company: Id<'company'> | null,
): Promise<StakeRow[]> {
  return queries.many(STAKES, [investor, company])
}

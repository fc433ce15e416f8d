import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { SecurityType } from '#modules/offerings/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Decimal } from '../store.ts'
import type { ExitReason, ExitStatus } from '../vocabulary.ts'
import type { PositionStatus } from '../worth/position-status.ts'
import { FUNDED_DEALS, PART_SUMS, VALUED_STAKES } from './stake-sql-store.ts'

/** Sums over stakes; numbers arrive as text. */
export type Sums = {
  readonly cost: string
  readonly value: string
  readonly unrealized: string
  readonly realized: string
  readonly shares_held: Decimal | null
  readonly share_price: Decimal | null
  readonly invested_at: WorldTime
  readonly investor_count: number
  readonly all_sold: boolean
}

/** A deal as a whole, or one part of it. */
export type DealSumsRow = Sums & {
  readonly offering_id: Id<'offering'>
  readonly whole: boolean
  readonly early_bird: boolean
  readonly price_paid: Decimal | null
  readonly currency: string
  readonly security_type: SecurityType | null
  /** JSON text. */
  readonly security_terms: string | null
  readonly company_id: Id<'company'>
  readonly company_name: string
  readonly slug: string | null
  readonly page_url: string
  readonly kind: 'company' | 'fund'
  readonly exit_status: ExitStatus | null
  readonly exit_reason: ExitReason | null
  readonly as_of: WorldTime
}

/** "By security offering (tiers)": what was bought at one price and on the same terms is one, whoever bought it. */
const POSITIONS = statement<DealSumsRow>(
  'portfolio.syndicate_positions',
  `with deal as materialized (${FUNDED_DEALS} order by d.offering_id desc limit $5 offset $6),
   valued as materialized (${VALUED_STAKES}),
   sums as materialized (
     select offering_id, grouping(early_bird) = 1 as whole, coalesce(early_bird, false) as early_bird, price_paid,
            ${PART_SUMS}
       from valued group by grouping sets ((offering_id), (offering_id, early_bird, price_paid)))
   select sums.offering_id, sums.whole, sums.early_bird, sums.price_paid, sums.cost, sums.value, sums.unrealized,
          sums.realized, sums.shares_held, sums.share_price, sums.invested_at, sums.investor_count, sums.all_sold,
          o.currency, o.security_type, o.security_terms, c.id as company_id, c.name as company_name, c.slug, c.page_url,
          c.kind, deal.exit_status, deal.exit_reason, world_now() as as_of
     from deal join sums on sums.offering_id = deal.offering_id
     cross join lateral (select company_id, currency, security_type, security_terms from offerings
                          where id = deal.offering_id offset 0) o
     cross join lateral (select id, name, slug, page_url, kind from companies where id = o.company_id offset 0) c
    order by deal.offering_id desc, sums.whole desc, sums.invested_at, sums.early_bird, sums.price_paid`,
)

export type Slice = { readonly company: Id<'company'> | null; readonly status: PositionStatus | null }
type Wanted = Slice & { readonly after: string | null; readonly limit: number; readonly skip: number }

/** Every id begins with a letter, and this is after all of them. */
const START = '~'

/** The newest deal first; of each the whole, then its parts, the oldest first. */
export async function positionSums(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  { after, company, status, limit, skip }: Wanted,
): Promise<DealSumsRow[]> {
  return queries.many(POSITIONS, [syndicate, after ?? START, company, status, limit, skip])
}

export type DealTotalsRow = Pick<Sums, 'cost' | 'value' | 'unrealized' | 'realized' | 'all_sold' | 'investor_count'> & {
  /** Null for all deals together. */
  readonly offering_id: Id<'offering'> | null
  readonly currency: string | null
  readonly exit_status: ExitStatus | null
  readonly as_of: WorldTime
}

const TOTALS = statement<DealTotalsRow>(
  'portfolio.syndicate_totals',
  `with deal as materialized (${FUNDED_DEALS}),
   valued as materialized (${VALUED_STAKES})
   select valued.offering_id, valued.currency, sum(cost) as cost, sum(value) as value, sum(unrealized) as unrealized,
          sum(realized) as realized, bool_and(sold) as all_sold, count(distinct investor_id)::int as investor_count,
          min(valued.exit_status) as exit_status, world_now() as as_of
     from valued group by grouping sets ((valued.offering_id, valued.currency), ()) having count(*) > 0`,
)

/** One row for each deal, and one for all of them, with how many people that are. */
export async function dealTotals(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  { company, status }: Slice,
): Promise<DealTotalsRow[]> {
  return queries.many(TOTALS, [syndicate, START, company, status])
}

import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { SecurityType } from '#market/offerings/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Decimal, ExitReason, ExitStatus, HoldingStatus } from '../store.ts'
import type { Aftermath, PositionStatus, Stake } from '../worth/worth.ts'

/** A stake with its sale, and with the valuation and the exit of its offering. */
export type StakeRow = {
  readonly offering_id: Id<'offering'>
  readonly currency: string
  /** bigint arrives as text. */
  readonly amount_cents: string
  readonly invested_at: WorldTime
  readonly shares: Decimal | null
  readonly average_share_price: Decimal | null
  readonly sold_at: WorldTime | null
  readonly sale_multiple: Decimal | null
  readonly valued_at: WorldTime | null
  readonly valued_share_price: Decimal | null
  readonly valued_multiple: Decimal | null
  readonly exit_status: ExitStatus | null
  readonly exit_reason: ExitReason | null
  readonly exited_at: WorldTime | null
  readonly exit_multiple: Decimal | null
  readonly as_of: WorldTime
}

/** Columns of an investment `s`. */
const STAKE_COLUMNS = `
  s.offering_id, s.currency, s.amount_cents, s.applied_at as invested_at, s.shares, s.average_share_price,
  sale.sold_at, sale.multiple as sale_multiple, v.valued_at, v.share_price as valued_share_price,
  v.multiple as valued_multiple, x.status as exit_status, x.reason as exit_reason, x.exited_at,
  x.multiple as exit_multiple, world_now() as as_of`

/**
 * The tables of an investment `s`, read by key. The planner does not know that there are few stakes, so it might read whole tables;
 * `offset 0` and `limit` prevent that.
 */
const STAKE_TABLES = `
  left join lateral (select sold_at, multiple from secondary_sales where investment_id = s.id offset 0) sale on true
  left join lateral (select valued_at, share_price, multiple from valuations where offering_id = s.offering_id
                      order by valued_at desc limit 1) v on true
  left join lateral (select status, reason, exited_at, multiple from exits where offering_id = s.offering_id
                     offset 0) x on true`

export function stakeOf(row: StakeRow): Stake {
  const { shares, average_share_price: price, sold_at: soldAt, sale_multiple: multiple } = row
  return {
    cost: BigInt(row.amount_cents),
    investedAt: row.invested_at,
    shares: shares === null || price === null ? null : { count: shares, price },
    sale: soldAt === null || multiple === null ? null : { soldAt, multiple },
  }
}

/** The valuation and the exit of the stake's offering, which all stakes in the offering share. */
export function aftermathOf(row: StakeRow): Aftermath {
  return { valuation: valuationOf(row), exit: exitOf(row) }
}

function valuationOf(row: StakeRow): Aftermath['valuation'] {
  const { valued_at: valuedAt, valued_share_price: sharePrice, valued_multiple: multiple } = row
  if (valuedAt === null) return null
  if (sharePrice !== null) return { valuedAt, sharePrice, multiple: null }
  return multiple === null ? null : { valuedAt, sharePrice: null, multiple }
}

function exitOf(row: StakeRow): Aftermath['exit'] {
  const { exit_status: status, exit_reason: reason, exited_at: exitedAt, exit_multiple: multiple } = row
  return status === null || exitedAt === null || multiple === null ? null : { status, reason, exitedAt, multiple }
}

const STAKES = statement<StakeRow>(
  'portfolio.stakes',
  `select ${STAKE_COLUMNS}
     from (select id, offering_id, currency, amount_cents, applied_at, shares, average_share_price
             from investments
            where investor_id = $1 and status = 'executed' and ($2::text is null or company_id = $2) offset 0) s
     ${STAKE_TABLES}`,
)

/** All stakes of an investor, past and present, or only those in the given company. */
export async function stakesOf(
  queries: WorldQueries,
  investor: Id<'user'>,
  company: Id<'company'> | null,
): Promise<StakeRow[]> {
  return queries.many(STAKES, [investor, company])
}

/** One stake of a position on the page, with its offering and its company. */
export type PositionRow = StakeRow & {
  readonly company_id: Id<'company'>
  readonly company_name: string
  readonly slug: string | null
  readonly page_url: string
  readonly kind: 'company' | 'fund'
  readonly security_type: SecurityType | null
  /** JSON text. */
  readonly security_terms: string | null
  readonly entity_name: string | null
  /** JSON text. */
  readonly contracts: string
  /** The place of the stake's position in the list. */
  readonly place_at: string
  readonly place_id: string
}

/** The place of a position in the list: the time and the id of its first executed investment. */
type PositionPlace = { readonly at: string; readonly investment: string }

/** The start of the list. `~` sorts after every id, because every id begins with a letter. */
const START: PositionPlace = { at: 'infinity', investment: '~' }

/** `positionStatus` in SQL. The filter must run before the limit of the page is applied; otherwise pages would be too short. */
const STATUS = `(
  select case when bool_and(coalesce(sale.sold_at <= coalesce(x.exited_at, 'infinity'), false)) then 'sold'
              else coalesce(max(x.status), 'active') end
    from investments s
    left join lateral (select sold_at from secondary_sales where investment_id = s.id offset 0) sale on true
    left join lateral (select status, exited_at from exits where offering_id = s.offering_id offset 0) x on true
   where s.investor_id = i.investor_id and s.offering_id = i.offering_id and s.status = 'executed')`

/**
 * Scans the investor's index from the start of the page and selects the first stake in each offering. The planner estimates that half
 * of the rows pass a `case`. With "null or" conditions it would estimate that almost none pass, and would sort the rows.
 */
const PAGE = `
  select i.offering_id, i.applied_at, i.id
    from investments i
   where i.investor_id = $1 and (i.applied_at, i.id) < ($2::timestamptz, $3::text collate "C")
     and case when i.status = 'executed' and ($4::text is null or i.company_id = $4)
               and not exists (
                 select from investments e
                  where e.investor_id = i.investor_id and e.offering_id = i.offering_id and e.status = 'executed'
                    and (e.applied_at, e.id) < (i.applied_at, i.id))
               and ($5::text is null or ${STATUS} = $5) then true else false end
   order by i.applied_at desc, i.id desc
   limit $6 offset $7`

const LIST = statement<PositionRow>(
  'portfolio.positions',
  `with page as materialized (${PAGE})
   select page.applied_at as place_at, page.id as place_id, o.security_type, o.security_terms, c.id as company_id,
          c.name as company_name, c.slug, c.page_url, c.kind, s.entity_name, s.contracts, ${STAKE_COLUMNS}
     from page
     cross join lateral (select company_id, security_type, security_terms from offerings
                          where id = page.offering_id offset 0) o
     cross join lateral (select id, name, slug, page_url, kind from companies where id = o.company_id offset 0) c
     cross join lateral (
       select id, offering_id, currency, amount_cents, applied_at, shares, average_share_price, entity_name, contracts
         from investments
        where investor_id = $1 and offering_id = page.offering_id and status = 'executed' offset 0) s
     ${STAKE_TABLES}
    order by page.applied_at desc, page.id desc, s.applied_at, s.id`,
)

type Wanted = {
  readonly after: PositionPlace | null
  readonly skip: number
  readonly limit: number
  readonly company: Id<'company'> | null
  readonly status: PositionStatus | null
}

/** The stakes of at most `limit` positions: the newest position first, and the oldest stake of each position first. */
export async function positionRows(
  queries: WorldQueries,
  investor: Id<'user'>,
  { after, skip, limit, company, status }: Wanted,
): Promise<PositionRow[]> {
  const { at, investment } = after ?? START
  return queries.many(LIST, [investor, at, investment, company, status, limit, skip])
}

export type HoldingRow = {
  readonly fund_id: Id<'company'>
  readonly company_id: Id<'company'>
  readonly name: string
  readonly slug: string | null
  readonly page_url: string
  readonly status: HoldingStatus
}

const HOLDINGS = statement<HoldingRow>(
  'portfolio.holdings',
  `select h.fund_id, h.company_id, c.name, c.slug, c.page_url, h.status
     from fund_holdings h join companies c on c.id = h.company_id
    where h.fund_id = any($1)
    order by h.fund_id, c.name, h.company_id`,
)

/** The companies that these funds hold, sorted by name within each fund. */
export async function holdingsOf(queries: WorldQueries, funds: readonly Id<'company'>[]): Promise<HoldingRow[]> {
  return funds.length === 0 ? [] : queries.many(HOLDINGS, [funds])
}

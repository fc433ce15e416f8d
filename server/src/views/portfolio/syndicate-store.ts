import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { SecurityType } from '#market/offerings/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Decimal, ExitReason, ExitStatus } from './store.ts'
import type { PositionStatus } from './worth/worth.ts'

const KNOWN = statement<{ known: boolean }>(
  'portfolio.company_known_to_syndicate',
  `select exists (select from catalog_entries where company_id = $2 and shown_to = 'public')
       or exists (select from offerings o join syndicate_deals d on d.offering_id = o.id and d.syndicate_id = $1
                   where o.company_id = $2) as known`,
)

/** Whether a syndicate may see a company: it is public, or the syndicate has a deal of it. */
export async function isKnownTo(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  company: Id<'company'>,
): Promise<boolean> {
  return (await queries.one(KNOWN, [syndicate, company])).known
}

/** An investment `s` is a stake if it is executed ("one holds what was executed") and not hidden. */
const STAKE = `s.status = 'executed' and not s.hidden`

const OF_DEAL = `from investments s where s.offering_id = d.offering_id and ${STAKE}`

/** A stake of the deal that was not sold before the exit. A deal without such a stake is sold: "sold once all of it is". */
const UNSOLD = `
  select ${OF_DEAL} and not exists (
    select from secondary_sales sale
     where sale.investment_id = s.id and sale.sold_at <= coalesce(x.exited_at, 'infinity'))`

/**
 * "Funded deals" of syndicate $1 with ids below $2, of company $3 and status $4 if given, each with its latest valuation and its
 * exit. The conditions are in a `case`, because the planner would estimate that each "null or" leaves almost no rows.
 */
const FUNDED_DEALS = `
  select d.offering_id, val.valued_at, val.share_price, val.multiple, x.status as exit_status, x.reason as exit_reason,
         x.exited_at, x.multiple as exit_multiple
    from syndicate_deals d
    cross join lateral (select company_id from offerings where id = d.offering_id offset 0) o
    left join lateral (select valued_at, share_price, multiple from valuations where offering_id = d.offering_id
                        order by valued_at desc limit 1) val on true
    left join lateral (select status, reason, exited_at, multiple from exits where offering_id = d.offering_id
                       offset 0) x on true
   where d.syndicate_id = $1 and d.offering_id < $2::text collate "C"
     and case when ($3::text is null or o.company_id = $3) and exists (select ${OF_DEAL})
               and ($4::text is null
                    or $4 = case when exists (${UNSOLD}) then coalesce(x.status, 'active') else 'sold' end)
              then true else false end`

/** Each stake of each `deal`, with the inputs of its value. */
const STAKES = `
  select s.offering_id, s.currency, s.investor_id, s.applied_at, s.amount_cents::numeric as cost, s.shares,
         s.average_share_price, trim_scale(s.average_share_price) as price_paid,
         s.contracts::jsonb @> '[{"early_bird": true}]' as early_bird, deal.exit_status, deal.exit_multiple,
         deal.share_price as valued_price, deal.multiple as valued_multiple, sale.multiple as sale_multiple,
         coalesce(deal.valued_at >= s.applied_at, false) as newer,
         coalesce(sale.sold_at <= coalesce(deal.exited_at, 'infinity'), false) as sold
    from deal
    cross join lateral (
      select id, offering_id, currency, investor_id, applied_at, amount_cents, shares, average_share_price, contracts
        from investments s where s.offering_id = deal.offering_id and ${STAKE} offset 0) s
    left join lateral (select sold_at, multiple from secondary_sales where investment_id = s.id offset 0) sale on true`

/**
 * The value of each stake, in SQL, because a deal can have a hundred thousand stakes and the database sums them. The rules are those
 * of worth/: each stake is rounded separately, half a cent up. A test compares SQL and worth/.
 */
const VALUED_STAKES = `
  select offering_id, currency, investor_id, applied_at, early_bird, price_paid, cost, sold, exit_status, not ended as held,
         case when ended then 0 else estimate end as value,
         case when ended then 0 else estimate - cost end as unrealized,
         case when ended then round(cost * case when sold then sale_multiple else exit_multiple end) - cost else 0 end
           as realized,
         case when shares is null or by_multiple and not ended then null when ended then 0 else shares end as shares_held,
         case when ended or by_multiple or shares is null then null when newer then valued_price
              else average_share_price end as share_price
    from (${STAKES}) stake
    cross join lateral (
      select sold or exit_status is not null as ended, newer and valued_multiple is not null as by_multiple) how
    cross join lateral (
      select case when by_multiple then round(cost * valued_multiple)
                  when newer and valued_price is not null and shares is not null then round(100 * shares * valued_price)
                  else cost end as estimate) worth`

/** "shares_held: of all of them, or of none"; "current_share_price: null if they differ". */
const PART_SUMS = `
  sum(cost) as cost, sum(value) as value, sum(unrealized) as unrealized, sum(realized) as realized,
  case when count(shares_held) = count(*) then trim_scale(sum(shares_held)) end as shares_held,
  case when bool_or(held) and count(*) filter (where held) = count(share_price) and min(share_price) = max(share_price)
       then min(share_price) end as share_price,
  min(applied_at) as invested_at, count(distinct investor_id)::int as investor_count, bool_and(sold) as all_sold`

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

/** The sums of a whole deal, or of one part of it. */
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

/**
 * "By security offering (tiers)": all stakes bought at one price and on the same terms are one part, for all buyers.
 */
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

type Slice = { readonly company: Id<'company'> | null; readonly status: PositionStatus | null }
type Wanted = Slice & { readonly after: string | null; readonly limit: number; readonly skip: number }

/** The start of the list: sorts after every id, because every id begins with a letter. */
const START = '~'

/** Returns the newest deal first. For each deal, first the row for the whole deal, then its parts, oldest first. */
export async function positionSums(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  { after, company, status, limit, skip }: Wanted,
): Promise<DealSumsRow[]> {
  return queries.many(POSITIONS, [syndicate, after ?? START, company, status, limit, skip])
}

type DealTotalsRow = Pick<Sums, 'cost' | 'value' | 'unrealized' | 'realized' | 'all_sold' | 'investor_count'> & {
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

/** One row for each deal, and one row for all deals together, in which each investor is counted once. */
export async function dealTotals(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  { company, status }: Slice,
): Promise<DealTotalsRow[]> {
  return queries.many(TOTALS, [syndicate, START, company, status])
}

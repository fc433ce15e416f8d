import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Exemption, OfferingState, SecurityType } from '#modules/offerings/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type FundraiseRow = {
  readonly id: Id<'offering'>
  readonly spv: boolean
  readonly name: string | null
  readonly status: OfferingState
  readonly testing_the_waters: boolean
  readonly exemption: Exemption
  readonly security_type: SecurityType | null
  /** JSON text. */
  readonly security_terms: string | null
  readonly currency: string
  /** bigint arrives as text. */
  readonly raised_cents: string
  readonly funding_target_cents: string | null
  readonly min_investment_cents: string | null
  readonly max_investment_cents: string | null
  readonly investor_count: number
  readonly opens_at: WorldTime | null
  readonly closes_at: WorldTime | null
  readonly closed_at: WorldTime | null
  readonly created_at: WorldTime
  readonly updated_at: WorldTime
  readonly company_id: Id<'company'>
  readonly company_name: string
}

/** Every id begins with a letter, and this is after all of them. */
const START = '~'

/**
 * The company itself and each vehicle that holds this company and no other. Of a vehicle only what has opened: what its own
 * people are still preparing is theirs. No more of each is read than a page can need.
 */
const LIST = statement<FundraiseRow>(
  'roster.fundraises',
  `with page as materialized (
     select near.id, near.vehicle
       from (select $1::text collate "C" as company_id, false as vehicle
             union all
             select h.fund_id, true from fund_holdings h
              where h.company_id = $1 and not exists (
                select from fund_holdings other where other.fund_id = h.fund_id and other.company_id <> $1)) raising
       cross join lateral (
         select o.id, raising.vehicle from offerings o
          where o.company_id = raising.company_id and o.id < $2::text collate "C"
            and (not raising.vehicle or o.status in ('open', 'closing', 'closed'))
          order by o.id desc limit $3) near
      order by near.id desc limit $3)
   select o.id, page.vehicle or c.kind = 'fund' or exists (
            select from syndicate_deals d where d.offering_id = page.id) as spv,
          o.name, o.status, o.testing_the_waters, o.exemption, o.security_type, o.security_terms, o.currency,
          e.raised_cents, o.funding_target_cents, o.min_investment_cents, o.max_investment_cents, e.investor_count,
          o.opens_at, o.closes_at, o.closed_at, o.created_at, o.updated_at, c.id as company_id, c.name as company_name
     from page
     cross join lateral (
       select id, name, status, testing_the_waters, exemption, security_type, security_terms, currency,
              funding_target_cents, min_investment_cents, max_investment_cents, opens_at, closes_at, closed_at,
              created_at, updated_at, company_id
         from offerings where id = page.id offset 0) o
     cross join lateral (select id, name, kind from companies where id = o.company_id offset 0) c
     cross join lateral (select raised_cents, investor_count from catalog_entries where offering_id = page.id offset 0) e
    order by page.id desc`,
)

type Wanted = { readonly after: string | null; readonly limit: number }

/** The newest first. */
export async function fundraiseRows(
  queries: WorldQueries,
  company: Id<'company'>,
  { after, limit }: Wanted,
): Promise<FundraiseRow[]> {
  return queries.many(LIST, [company, after ?? START, limit])
}

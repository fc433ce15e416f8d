import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { mayEdit } from '#market/companies/index.ts'
import type { Exemption, OfferingState, SecurityType } from '#market/offerings/index.ts'
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

/** The first page's cursor. The list is in descending order, and `~` sorts after every id, as ids begin with a letter. */
const START = '~'

/**
 * The rounds of the company itself and of each vehicle (a fund that holds only this company). Rounds of a vehicle that have not
 * opened or were canceled are left out, because only the vehicle's own team may see them. At most one page of rounds is read
 * for the company and for each vehicle.
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

/** Returns the newest fundraises first. */
export async function fundraiseRows(
  queries: WorldQueries,
  company: Id<'company'>,
  { after, limit }: Wanted,
): Promise<FundraiseRow[]> {
  return queries.many(LIST, [company, after ?? START, limit])
}

/** An investor's totals in a company in one currency. */
export type InvestorRow = {
  readonly id: Id<'user'>
  readonly name: string | null
  readonly email: string | null
  readonly accredited: boolean
  readonly deactivated: boolean
  readonly currency: string
  /** A sum of bigint arrives as text. */
  readonly invested_cents: string
  readonly reserved_cents: string
  readonly investments: number
  readonly reservations: number
  readonly first_at: WorldTime
}

/** The investments that the company sees in its records: not hidden, canceled or converted. */
const SEEN = `not v.hidden and v.status in ('active', 'reserved', 'executed')`

/** The investments of one investor in the company's `rounds`, read by the index `investments_investor_offering`. */
const ofInvestor = (investor: string) => `
  from rounds cross join lateral (
    select v.currency, v.status, v.amount_cents, v.applied_at from investments v
     where v.investor_id = ${investor} and v.offering_id = rounds.id and ${SEEN}) v`

/**
 * Finds investors in `investor_totals`, which has one row for each investor in each raise. At most one page of investors is read
 * for each raise, in the order of their ids.
 */
const PAGE = statement<InvestorRow>(
  'roster.investors',
  `with rounds as materialized (select id from offerings where company_id = $1),
   page as materialized (
     select investor.id
       from (
         select near.investor_id as id
           from (select id from raises where company_id = $1) raise
           cross join lateral (
             select t.investor_id from investor_totals t
              where t.raise_id = raise.id and t.investor_id > $2::text collate "C"
                and case when exists (select ${ofInvestor('t.investor_id')}) then true else false end
              order by t.investor_id limit $3) near
          group by near.investor_id) investor
      order by investor.id limit $3)
   select page.id, u.name, u.email, u.accreditation <> 'none' as accredited, u.deactivated_at is not null as deactivated,
          held.currency, held.invested_cents, held.reserved_cents, held.investments, held.reservations, held.first_at
     from page
     cross join lateral (select name, email, accreditation, deactivated_at from users where id = page.id offset 0) u
     cross join lateral (
       select v.currency, coalesce(sum(v.amount_cents) filter (where v.status <> 'reserved'), 0) as invested_cents,
              coalesce(sum(v.amount_cents) filter (where v.status = 'reserved'), 0) as reserved_cents,
              (count(*) filter (where v.status <> 'reserved'))::int as investments,
              (count(*) filter (where v.status = 'reserved'))::int as reservations, min(v.applied_at) as first_at
         ${ofInvestor('page.id')}
        group by v.currency) held
    order by page.id, held.investments + held.reservations desc, held.currency`,
)

type InvestorWanted = { readonly after: string | null; readonly limit: number }

/** Investors sorted by id, each with all currencies. The currency with the most investments and reservations is first. */
export async function investorRows(
  queries: WorldQueries,
  company: Id<'company'>,
  { after, limit }: InvestorWanted,
): Promise<InvestorRow[]> {
  return queries.many(PAGE, [company, after ?? '', limit])
}

/**
 * `known`: a user may see that a company exists if the public view shows an offering of it, or if the user has or had a role
 * or an investment there.
 */
const STANDING = statement<{ runs: boolean; known: boolean }>(
  'roster.standing',
  `select exists (select from company_people p
                   where p.company_id = $1 and p.user_id = $2 and ${mayEdit('p')}) as runs,
          exists (select from catalog_entries where company_id = $1 and shown_to = 'public')
       or exists (select from company_people where company_id = $1 and user_id = $2)
       or exists (select from investments where company_id = $1 and investor_id = $2) as known`,
)

/** Whether a user may edit a company, and whether they may see that it exists. */
export async function viewerAt(
  queries: WorldQueries,
  company: Id<'company'>,
  user: Id<'user'> | null,
): Promise<{ readonly runs: boolean; readonly known: boolean }> {
  return queries.one(STANDING, [company, user])
}

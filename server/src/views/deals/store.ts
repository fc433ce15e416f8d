import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Exemption, OfferingState, SecurityType } from '#market/offerings/index.ts'
import { INVESTED, MEMBER_ROLE, SELECTED_DEALS } from '#market/syndicates/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** An offering that a syndicate runs, with its company and its figures. */
export type DealRow = {
  readonly id: Id<'offering'>
  readonly name: string | null
  readonly description: string | null
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
  readonly closed_at: WorldTime | null
  readonly created_at: WorldTime
  readonly updated_at: WorldTime
  readonly company_id: Id<'company'>
  readonly company_name: string
  readonly slug: string | null
  readonly logo_url: string | null
}

/** Reads by key for each row of `page`; `offset 0` prevents the planner from reading a whole table. */
const OF_PAGE = `
  select o.id, o.name, o.description, o.status, o.testing_the_waters, o.exemption, o.security_type, o.security_terms,
         o.currency, e.raised_cents, o.funding_target_cents, o.min_investment_cents, o.max_investment_cents,
         e.investor_count, o.opens_at, o.closed_at, o.created_at, o.updated_at, o.company_id, c.name as company_name,
         c.slug, c.logo_url
    from page
    cross join lateral (
      select id, name, description, status, testing_the_waters, exemption, security_type, security_terms, currency,
             funding_target_cents, min_investment_cents, max_investment_cents, opens_at, closed_at, created_at,
             updated_at, company_id
        from offerings where id = page.offering_id offset 0) o
    cross join lateral (select name, slug, logo_url from companies where id = o.company_id offset 0) c
    cross join lateral (select raised_cents, investor_count from catalog_entries
                         where offering_id = page.offering_id offset 0) e`

/** The start of the list: sorts after every id, because every id begins with a letter. */
const START = '~'

/** "Live only (open, oversubscribed, closing); closed and upcoming are not listed." */
const LIVE = statement<DealRow>(
  'deals.live',
  `with page as materialized (
     select d.offering_id
       from syndicate_deals d
       cross join lateral (select status from offerings where id = d.offering_id offset 0) o
      where d.syndicate_id = $1 and d.offering_id < $2::text collate "C" and o.status in ('open', 'closing')
      order by d.offering_id desc limit $3)
   ${OF_PAGE}
    order by page.offering_id desc`,
)

type Wanted = { readonly after: string | null; readonly limit: number }

/** Returns the newest offering first. */
export async function liveDeals(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  { after, limit }: Wanted,
): Promise<DealRow[]> {
  return queries.many(LIVE, [syndicate, after ?? START, limit])
}

const ONE = statement<DealRow>(
  'deals.one',
  `with page as materialized (
     select offering_id from syndicate_deals where syndicate_id = $1 and offering_id = $2)
   ${OF_PAGE}`,
)

/** Null unless this syndicate runs the offering. */
export async function findDeal(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  offering: Id<'offering'>,
): Promise<DealRow | null> {
  return queries.maybeOne(ONE, [syndicate, offering])
}

/**
 * A condition: the investment `v` is committed, reserved (if the offering tests the waters) or executed. Hidden investments are not in
 * the lists and sums of the people who run the offering.
 */
const COUNTED = `not v.hidden and v.status in ('active', 'reserved', 'executed')`

/** The group CONFIRMED of the investment record: executed, or confirmed and not refunded. */
const CONFIRMED = `(v.status = 'executed'
  or v.status = 'active' and v.confirmed_at is not null and v.payment_state <> 'refunded')`

/** The investments that count toward a raise, as in the catalogue but without reservations. */
const COUNTS = `not v.hidden and (v.status = 'executed' or v.status = 'active' and v.confirmed_at is not null)`

type DealCounts = {
  readonly total_deals: number
  readonly live_deals: number
  readonly total_investors: number
  readonly recent_activity_count: number
}

/**
 * "total_deals, live_deals from all linked deals; total_investors distinct" over the selected deals. Recent activity is the
 * number of the syndicate's events in the last 30 days.
 */
const DEALS = statement<DealCounts>(
  'deals.statistics',
  `with ${SELECTED_DEALS}
   select all_deals.total_deals, all_deals.live_deals, investors.total_investors, recent.recent_activity_count
     from (select count(*)::int as total_deals,
                  (count(*) filter (where o.status in ('open', 'closing')))::int as live_deals
             from syndicate_deals d
             cross join lateral (select status from offerings where id = d.offering_id offset 0) o
            where d.syndicate_id = $1) all_deals
     cross join (select count(distinct v.investor_id)::int as total_investors
                   from selected
                   join investments v on v.offering_id = selected.id
                  where ${COUNTS}) investors
     cross join (select count(*)::int as recent_activity_count
                   from events
                  where syndicate_id = $1 and occurred_at > world_now() - interval '30 days') recent`,
)

export async function dealCounts(queries: WorldQueries, syndicate: Id<'syndicate'>): Promise<DealCounts> {
  return queries.one(DEALS, [syndicate])
}

type RaisedRow = { readonly currency: string; readonly deals: number; readonly raised_cents: string }

/** One sum for each currency: amounts in different currencies cannot be added. */
const RAISED = statement<RaisedRow>(
  'deals.raised',
  `with ${SELECTED_DEALS}
   select selected.currency, count(*)::int as deals, sum(e.raised_cents) as raised_cents
     from selected
     cross join lateral (select raised_cents from catalog_entries where offering_id = selected.id offset 0) e
    group by selected.currency order by count(*) desc, selected.currency`,
)

/** The currency with most deals first. */
export async function raisedByCurrency(queries: WorldQueries, syndicate: Id<'syndicate'>): Promise<RaisedRow[]> {
  return queries.many(RAISED, [syndicate])
}

type RoleRow = { readonly role: string; readonly count: number; readonly counted: number }

/**
 * "total_members: active; minus resigned/exiled, soft-deleted" is the sum of `counted`; `count` includes all memberships. An
 * invited person who has not answered is an invitee, not a member.
 */
const MEMBERS = statement<RoleRow>(
  'deals.members_by_role',
  `select m.role, count(*)::int as count,
          (count(*) filter (where m.status = 'member' and not m.directory_hidden and u.deactivated_at is null))::int
            as counted
     from (select m.user_id, m.status, m.directory_hidden, ${MEMBER_ROLE} as role
             from memberships m where m.syndicate_id = $1) m
     cross join lateral (select deactivated_at from users where id = m.user_id offset 0) u
    group by m.role
   union all
   select 'invitee', count(*)::int, 0 from syndicate_invitations where syndicate_id = $1 and open having count(*) > 0
    order by role`,
)

export async function membersByRole(queries: WorldQueries, syndicate: Id<'syndicate'>): Promise<RoleRow[]> {
  return queries.many(MEMBERS, [syndicate])
}

/** Current members and managers of syndicate $1. */
const MEMBER_IDS = `
  select user_id from memberships where syndicate_id = $1 and status = 'member'
  union
  select user_id from syndicate_managers where syndicate_id = $1`

/** "One row per investor, summed over their investments in the deal; syndicate members only." */
const INVESTORS = `
  select v.investor_id, sum(v.amount_cents) as amount_cents, bool_or(${CONFIRMED}) as confirmed,
         min(v.applied_at) as invested_at
    from investments v
   where v.offering_id = $2 and ${COUNTED} and v.investor_id in (${MEMBER_IDS})
   group by v.investor_id`

export type InvestorRow = {
  readonly investor_id: Id<'user'>
  readonly name: string | null
  readonly email: string | null
  readonly avatar_url: string | null
  /** A sum of bigint arrives as text. */
  readonly amount_cents: string
  readonly confirmed: boolean
  readonly invested_at: WorldTime
}

type PageRow = { readonly total_count: number } & (InvestorRow | { readonly [column in keyof InvestorRow]: null })

/** Largest amount first; equal amounts by the investor's id. The count is returned even if the page is empty. */
const PAGE = statement<PageRow>(
  'deals.investors',
  `with each as materialized (${INVESTORS}),
   page as materialized (
     select investor_id, amount_cents, confirmed, invested_at from each
      where $5::numeric is null or amount_cents < $5 or (amount_cents = $5 and investor_id > $6::text collate "C")
      order by amount_cents desc, investor_id limit $3 offset $4)
   select total.total_count, p.investor_id, u.name, u.email, u.avatar_url, p.amount_cents, p.confirmed, p.invested_at
     from (select count(*)::int as total_count from each) total
     left join (page p cross join lateral (
       select name, email, avatar_url from users where id = p.investor_id offset 0) u) on true
    order by p.amount_cents desc, p.investor_id`,
)

type DealOf = { readonly syndicate: Id<'syndicate'>; readonly offering: Id<'offering'> }
/** The start of a page: after the investor in `after`, or after `skip` rows. */
type InvestorsWanted = {
  readonly limit: number
  readonly skip: number
  readonly after: { readonly cents: string; readonly investor: string } | null
}

export async function investorRows(
  queries: WorldQueries,
  { syndicate, offering }: DealOf,
  { limit, skip, after }: InvestorsWanted,
): Promise<{ readonly rows: readonly InvestorRow[]; readonly total: number }> {
  const found = await queries.many(PAGE, [
    syndicate,
    offering,
    limit,
    skip,
    after?.cents ?? null,
    after?.investor ?? null,
  ])
  return { rows: found.filter((row) => row.investor_id !== null), total: found[0]?.total_count ?? 0 }
}

type PartRow = { readonly confirmed: boolean; readonly count: number; readonly cents: string }

const PARTS = statement<PartRow>(
  'deals.investor_breakdown',
  `select part.confirmed, count(each.investor_id)::int as count, coalesce(sum(each.amount_cents), 0) as cents
     from (values (false), (true)) part (confirmed)
     left join (${INVESTORS}) each on each.confirmed = part.confirmed
    group by part.confirmed order by part.confirmed`,
)

/** Returns the counts and sums of pending investors and of confirmed investors. */
export async function breakdownOf(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  offering: Id<'offering'>,
): Promise<readonly [PartRow, PartRow]> {
  const [pending, confirmed] = await queries.many(PARTS, [syndicate, offering])
  if (pending === undefined || confirmed === undefined) throw new Error('a deal has two kinds of investors')
  return [pending, confirmed]
}

const MEMBER = statement<{ user_id: Id<'user'> }>(
  'deals.member',
  'select user_id from memberships where id = $2 and syndicate_id = $1',
)

/** Null for a member of another syndicate. Includes former members: their investments stay. */
export async function userOfMember(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  member: Id<'membership'>,
): Promise<Id<'user'> | null> {
  return (await queries.maybeOne(MEMBER, [syndicate, member]))?.user_id ?? null
}

export type MemberInvestmentRow = {
  /** The member's first investment in the deal. */
  readonly id: Id<'investment'>
  readonly offering_id: Id<'offering'>
  readonly company_id: Id<'company'>
  readonly company_name: string
  readonly currency: string
  /** A sum of bigint arrives as text. */
  readonly amount_cents: string
  readonly confirmed: boolean
  readonly created_at: WorldTime
}

const OF_MEMBER = statement<MemberInvestmentRow>(
  'deals.member_investments',
  `with ${SELECTED_DEALS}
   select held.id, selected.id as offering_id, c.id as company_id, c.name as company_name, selected.currency,
          held.amount_cents, held.confirmed, held.created_at
     from selected
     cross join lateral (
       select (array_agg(v.id::text order by v.applied_at, v.id))[1] as id, sum(v.amount_cents) as amount_cents,
              bool_or(${CONFIRMED}) as confirmed, min(v.applied_at) as created_at
         from investments v
        where v.investor_id = $2 and v.offering_id = selected.id and ${INVESTED}
       having count(*) > 0) held
     cross join lateral (
       select id, name from companies
        where id = (select company_id from offerings where id = selected.id) offset 0) c
    order by held.created_at desc, held.id desc`,
)

/** "One per company", newest first. */
export async function investmentsOfMember(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  user: Id<'user'>,
): Promise<MemberInvestmentRow[]> {
  return queries.many(OF_MEMBER, [syndicate, user])
}

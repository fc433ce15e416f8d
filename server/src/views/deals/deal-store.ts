import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Exemption, OfferingState, SecurityType } from '#market/offerings/index.ts'
import { MEMBER_ROLE, SELECTED_DEALS } from '#market/syndicates/index.ts'
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

/** For each row of `page`, by key: `offset 0` prevents the planner from reading a whole table. */
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

/** Sorts after every id, because every id begins with a letter. */
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

/** The newest offering first. */
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

/** Null unless this syndicate runs it. */
export async function findDeal(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  offering: Id<'offering'>,
): Promise<DealRow | null> {
  return queries.maybeOne(ONE, [syndicate, offering])
}

/**
 * Whether an investment `v` counts: committed, reserved (if the offering tests the waters), or executed. Hidden investments are
 * in no list and no sum for the people who run the offering.
 */
export const COUNTED = `not v.hidden and v.status in ('active', 'reserved', 'executed')`

/** The group CONFIRMED of the investment record: executed, or confirmed and not refunded. */
export const CONFIRMED = `(v.status = 'executed'
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
 * "total_members: active; minus resigned/exiled, soft-deleted." An invited person who has not answered is an invitee, not a
 * member.
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

import type { Id } from '#kernel/ids.ts'
import { MEMBER_ROLE, SELECTED_DEALS } from '#modules/syndicates/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { COUNTS } from '../standing-sql-store.ts'

export type DealCounts = {
  readonly total_deals: number
  readonly live_deals: number
  readonly total_investors: number
  readonly recent_activity_count: number
}

/**
 * "total_deals, live_deals from all linked deals; total_investors distinct" over the selected ones. Activity is what
 * happened in the syndicate and was told as an event.
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

export type RaisedRow = { readonly currency: string; readonly deals: number; readonly raised_cents: string }

/** Euros and dollars have no sum. */
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

export type RoleRow = { readonly role: string; readonly count: number; readonly counted: number }

/** "total_members: active; minus resigned/exiled, soft-deleted." Who was invited and has not answered is an invitee. */
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

import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { INVESTED, SELECTED_DEALS } from '#market/syndicates/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { CONFIRMED, COUNTED } from './deal-store.ts'

/** Current members and managers of syndicate $1. */
const MEMBERS = `
  select user_id from memberships where syndicate_id = $1 and status = 'member'
  union
  select user_id from syndicate_managers where syndicate_id = $1`

/** "One row per investor, summed over their investments in the deal; syndicate members only." */
const INVESTORS = `
  select v.investor_id, sum(v.amount_cents) as amount_cents, bool_or(${CONFIRMED}) as confirmed,
         min(v.applied_at) as invested_at
    from investments v
   where v.offering_id = $2 and ${COUNTED} and v.investor_id in (${MEMBERS})
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
/** Where a page starts: after the investor in `after`, or after `skip` rows. */
type Wanted = {
  readonly limit: number
  readonly skip: number
  readonly after: { readonly cents: string; readonly investor: string } | null
}

export async function investorRows(
  queries: WorldQueries,
  { syndicate, offering }: DealOf,
  { limit, skip, after }: Wanted,
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

/** "One per company", the newest first. */
export async function investmentsOfMember(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  user: Id<'user'>,
): Promise<MemberInvestmentRow[]> {
  return queries.many(OF_MEMBER, [syndicate, user])
}

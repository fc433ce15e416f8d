import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { INVESTED, SELECTED_DEALS } from '#modules/syndicates/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { CONFIRMED } from '../standing-sql-store.ts'

const MEMBER = statement<{ user_id: Id<'user'> }>(
  'deals.member',
  'select user_id from memberships where id = $2 and syndicate_id = $1',
)

/** Null for somebody of another syndicate. Also of who has left: what they invested stays. */
export async function userOfMember(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  member: Id<'membership'>,
): Promise<Id<'user'> | null> {
  return (await queries.maybeOne(MEMBER, [syndicate, member]))?.user_id ?? null
}

export type MemberInvestmentRow = {
  /** The first of them. */
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

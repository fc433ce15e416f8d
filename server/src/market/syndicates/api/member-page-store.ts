import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement, type WorldStatement } from '#system/postgres/statement.ts'
import type { MembershipState } from '../membership-states.ts'
import type { Permission } from '../syndicate.ts'
import {
  HIGH,
  INVITEE_FITS,
  investedBy,
  LOW,
  MEMBER_FITS,
  MEMBER_SORTS,
  type MemberRole,
  type MemberSort,
  ORDERS,
  type Order,
  type Part,
  ROLE,
  SELECTED,
} from './directory-store.ts'

/** A row of the directory: a membership, or an open invitation. */
export type MemberRow = {
  readonly id: Id<'membership'>
  readonly user: Id<'user'> | null
  readonly user_name: string | null
  readonly user_email: string | null
  readonly role: MemberRole
  /** The field is null for an invitation, which is not a membership. */
  readonly status: MembershipState | null
  readonly syndicate_permission: Permission | null
  readonly title: string | null
  readonly sort_order: number | null
  readonly carry_percentage_override: number | null
  readonly carry_discount_percentage: string | null
  readonly management_fee_discount_percentage: string | null
  readonly public_on_syndicate_profile: boolean
  readonly profile: string
  readonly private_tags: string[]
  readonly location_hidden: boolean
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
  readonly avatar_url: string | null
  readonly username: string | null
  readonly legal_name: string | null
  readonly accredited: boolean
  /** The field is null for an invitation. */
  readonly invested_cents: string | null
  readonly invested_currency: string | null
  readonly invested_deals: number | null
  readonly joined_at: WorldTime
  readonly created_at: WorldTime
  readonly updated_at: WorldTime
  /** The place of the row in the list. */
  readonly place: string
}

/**
 * Reads the membership or invitation of each row of `page`, which has ids and places. Each is looked up by its id: PostgreSQL
 * does not know the size of a page in advance, and would otherwise read the whole tables.
 */
const shown = (ordered: string) => `
  select page.id, coalesce(m.user_id, i.user_id) as "user", case when m.id is null then i.name else u.name end as user_name,
         case when m.id is null then i.email else u.email end as user_email, case when m.id is null then 'invitee' else ${ROLE} end as role,
         m.status, coalesce(i.permission, g.permission) as syndicate_permission, m.title, m.sort_order,
         m.carry_percentage_override, m.carry_discount_percentage, m.management_fee_discount_percentage,
         coalesce(m.public_on_syndicate_profile, false) as public_on_syndicate_profile,
         coalesce(m.profile, '{}') as profile, coalesce(m.private_tags, '{}') as private_tags,
         coalesce(u.location_hidden, false) as location_hidden, u.city, u.state, u.country, u.avatar_url, u.username,
         u.legal_name, coalesce(u.accreditation <> 'none', false) as accredited,
         case when m.id is not null then invested.cents end as invested_cents,
         (select currency from main) as invested_currency,
         case when m.id is not null then invested.deals end as invested_deals,
         coalesce(m.joined_at, m.created_at, i.invited_at) as joined_at, coalesce(m.created_at, i.invited_at) as created_at,
         coalesce(m.updated_at, i.last_invited_at) as updated_at, page.place::text as place
    from page
    left join lateral (
      select id, user_id, status, title, sort_order, directory_hidden, carry_percentage_override,
             carry_discount_percentage, management_fee_discount_percentage, public_on_syndicate_profile, profile,
             private_tags, joined_at, created_at, updated_at
        from memberships where id = page.id offset 0) m on true
    left join lateral (
      select name, email, user_id, permission, invited_at, last_invited_at
        from syndicate_invitations where syndicate_id = $1 and id = page.id offset 0) i on true
    left join lateral (
      select name, email, location_hidden, city, state, country, avatar_url, username, legal_name, accreditation
        from users where id = coalesce(m.user_id, i.user_id) offset 0) u on true
    left join lateral (
      select permission from syndicate_managers where syndicate_id = $1 and user_id = m.user_id offset 0) g on true
    cross join lateral (${investedBy('m.user_id')}) invested
   ${ordered}`

/**
 * Reads at most one page of each list, in the order of the list's index, from the cursor's place on. Then merges these pages
 * into one page.
 */
function pageOf(order: Order): string {
  const cut = `order by place ${order.direction}, id ${order.direction} limit $11`
  const members = order.members.map(
    (part) => `
    (select m.id, ${part.place} as place from memberships m ${part.join ?? ''}
      where m.syndicate_id = $1 and ${MEMBER_FITS} and ${part.only ?? 'true'} and ${after(order, part, 'm.id')} ${cut})`,
  )
  const invitees = `
    (select i.id, ${order.invitees.place} as place from syndicate_invitations i
      where i.syndicate_id = $1 and i.open and ${INVITEE_FITS} and ${after(order, order.invitees, 'i.id')} ${cut})`
  return `with ${SELECTED}${order.given ?? ''},
    page as materialized (${[...members, invitees].join(' union all ')} ${cut})
    ${shown(`order by page.place ${order.direction}, page.id ${order.direction}`)}`
}

/**
 * All rows of a list with `same` have the same place, the last place of the order. Among these rows, a page begins
 * after the last id.
 */
function after({ type, direction }: Order, { place, same }: Part, id: string): string {
  const [compare, before] = direction === 'asc' ? (['>', LOW] as const) : (['<', HIGH] as const)
  const [key, last] = [`$9::${type}`, `$10::text collate "C"`]
  if (same !== true) return `(${place}, ${id}) ${compare} (${key}, ${last})`
  return `${id} ${compare} case when ${key} = ${place} then ${last} else '${before}' end`
}

const PAGES = Object.fromEntries(
  MEMBER_SORTS.map((sort) => [sort, statement<MemberRow>(`members.page_${sort}`, pageOf(ORDERS[sort]))]),
) as Record<MemberSort, WorldStatement<MemberRow>>

export type MemberFilters = {
  readonly role?: string
  readonly permission?: Permission
  readonly search?: string
  readonly has_invested?: boolean
  readonly accredited?: boolean
  readonly tag?: string
  readonly location?: string
}

export type Place = { readonly key: string; readonly id: string }

type Wanted = {
  readonly sort: MemberSort
  readonly filters: MemberFilters
  /** Null for the first page. */
  readonly after: Place | null
  readonly limit: number
}

export async function memberPage(
  queries: WorldQueries,
  syndicateId: Id<'syndicate'>,
  { sort, filters, after, limit }: Wanted,
): Promise<MemberRow[]> {
  const { key, id } = after ?? ORDERS[sort].first
  return queries.many(PAGES[sort], [
    syndicateId,
    filters.role ?? null,
    filters.permission ?? null,
    filters.search ?? null,
    filters.has_invested ?? null,
    filters.accredited ?? null,
    filters.tag ?? null,
    filters.location ?? null,
    key,
    id,
    limit,
  ])
}

/** Finds the row only in its own syndicate. An answered invitation is no longer in the directory. */
const ONE = statement<MemberRow>(
  'members.one',
  `with ${SELECTED},
     page as (
       select id, '' as place from memberships where id = $2 and syndicate_id = $1
       union all
       select id, '' from syndicate_invitations where id = $2 and syndicate_id = $1 and open)
   ${shown('')}`,
)

/** Returns null if the syndicate's directory has no such row. */
export async function findMember(
  queries: WorldQueries,
  syndicateId: Id<'syndicate'>,
  id: Id<'membership'>,
): Promise<MemberRow | null> {
  return queries.maybeOne(ONE, [syndicateId, id])
}

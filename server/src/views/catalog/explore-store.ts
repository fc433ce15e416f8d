import type { WorldDatabase } from '#system/postgres/database.ts'
import { type SqlValue, statement, type WorldStatement } from '#system/postgres/statement.ts'
import { type Filters, SORTS, type Sort } from './explore-query.ts'
import { publicColumns, type ShownOfferingRow, TABLES_OF_PAGE, userColumns } from './offering-store.ts'
import { PUBLIC_SIGHT, userSight, type Viewer } from './store.ts'

/** A row with where the list stands at it. */
export type ExploreRow = ShownOfferingRow & { readonly place: string }

/** Where a page begins: after this place, or so many rows after the start. */
export type Start = { readonly after: Place | null; readonly skip: number }
export type Place = { readonly key: string; readonly offering: string }

type Order = { readonly key: string; readonly type: string; readonly direction: 'asc' | 'desc'; readonly first: Place }

/** Before and after every id. */
const [LOW, HIGH] = ['', '~'] as const

const ORDERS: Readonly<Record<Sort, Order>> = {
  most_raised: descending('raised_cents', 'bigint', '9223372036854775807'),
  most_investors: descending('investor_count', 'integer', '2147483647'),
  newest: descending('opened_at', 'timestamptz', 'infinity'),
  closing_soon: {
    key: 'closes_at',
    type: 'timestamptz',
    direction: 'asc',
    first: { key: '-infinity', offering: LOW },
  },
}

function descending(key: string, type: string, most: string): Order {
  return { key, type, direction: 'desc', first: { key: most, offering: HIGH } }
}

/** $1 to $8; a filter that was not given is null. The same for both views, of the entry `e`. */
const FILTERED = `
  ($1::text is null or e.exemption = $1 or $1 = 'reg_d' and e.exemption in ('reg_d_506b', 'reg_d_506c'))
  and ($2::text is null or e.security_type = $2 and not e.testing_the_waters)
  and ($3::boolean is null or e.testing_the_waters = $3)
  and ($4::numeric is null or e.min_investment_cents <= $4 * 100)
  and ($5::date is null or e.closes_at < ($5::date + 1)::timestamp at time zone 'UTC')
  and ($6::numeric is null or e.raised_cents >= $6 * 100)
  and ($7::text[] is null or e.industries && $7)
  and ($8::text[] is null or e.business_models && $8)`

/**
 * Planned once for all values, each "null or" would be taken to leave next to nothing, and all that is left sorted. As the
 * condition of a `case` it is taken to leave half: then the index that is in order already is the cheaper way.
 */
const unguessed = (condition: string) => `case when ${condition} then true else false end`

const VIEWER = '$9'
const FOLLOWED = `($10::boolean is null
  or $10 = exists (select from follows f where f.user_id = ${VIEWER} and f.company_id = e.company_id))`

const USER_SIGHT = userSight(VIEWER)

/**
 * "Including accredited-only and invited rounds": what not everybody sees and this user does, beyond what is listed for
 * all who are accredited. Every such round, whatever else of its company is listed. As many as the user has to do with,
 * however large the catalogue is.
 */
const OWN = `
  own as materialized (
    select r.offering_id
      from catalog_entries r
     where r.offering_id in (select offering_id from own_rounds) and r.status = 'open'
       and r.shown_to is distinct from 'public' and (${USER_SIGHT.explores('r')}) is not true)`

type Parameters = { readonly key: string; readonly offering: string; readonly skip: string; readonly limit: string }

/** Entries along the order's index, from the place on. */
function along(order: Order, which: string, { key, offering }: Parameters): string {
  const { key: column, type, direction } = order
  const compare = direction === 'asc' ? '>' : '<'
  return `select e.offering_id, e.${column} as place from catalog_entries e
   where ${which} and (e.${column}, e.offering_id) ${compare} (${key}::${type}, ${offering}::text collate "C")
   order by e.${column} ${direction}, e.offering_id ${direction}`
}

function publicPage(order: Order): string {
  const at = { key: '$9', offering: '$10', skip: '$11', limit: '$12' }
  const which = `e.explored_by is not null and ${unguessed(`${PUBLIC_SIGHT.explores('e')} and ${FILTERED}`)}`
  return `with page as materialized (${along(order, which, at)} limit ${at.limit} offset ${at.skip})
   ${shown(order, publicColumns(PUBLIC_SIGHT))}`
}

/** Two lists in one order, each cut to what a page can need of it, and the page cut from both. */
function userPage(order: Order): string {
  const at = { key: '$11', offering: '$12', skip: '$13', limit: '$14' }
  const most = `limit ${at.limit}::bigint + ${at.skip}::bigint`
  const listed = `e.explored_by is not null
     and ${unguessed(`${USER_SIGHT.explores('e')} and ${FILTERED} and ${FOLLOWED}`)}`
  const own = `e.offering_id in (select offering_id from own) and ${FILTERED} and ${FOLLOWED}`
  return `with ${USER_SIGHT.given}, ${OWN},
   page as materialized (
     (${along(order, listed, at)} ${most}) union all (${along(order, own, at)} ${most})
     order by place ${order.direction}, offering_id ${order.direction} limit ${at.limit} offset ${at.skip})
   ${shown(order, userColumns(USER_SIGHT, VIEWER))}`
}

function shown({ direction }: Order, columns: string): string {
  return `select ${columns}, page.place::text as place
     from ${TABLES_OF_PAGE}
    order by page.place ${direction}, page.offering_id ${direction}`
}

const pages = (name: string, page: (order: Order) => string) =>
  Object.fromEntries(
    SORTS.map((sort) => [sort, statement<ExploreRow>(`catalog.${name}_${sort}`, page(ORDERS[sort]))]),
  ) as Record<Sort, WorldStatement<ExploreRow>>

const PUBLIC_PAGES = pages('explore', publicPage)
const USER_PAGES = pages('explore_user', userPage)

type Wanted = { readonly sort: Sort; readonly filters: Filters; readonly start: Start; readonly limit: number }

export async function explorePage(
  { reads }: Pick<WorldDatabase, 'reads'>,
  viewer: Viewer,
  { sort, filters, start, limit }: Wanted,
): Promise<ExploreRow[]> {
  const { key, offering } = start.after ?? ORDERS[sort].first
  const position = [key, offering, start.skip, limit]
  return viewer === null
    ? reads.many(PUBLIC_PAGES[sort], [...values(filters), ...position])
    : reads.many(USER_PAGES[sort], [...values(filters), viewer, filters.followed ?? null, ...position])
}

const counted = (which: string) => `select count(*)::int as total from catalog_entries e where ${which}`

const PUBLIC_TOTAL = statement<{ total: number }>(
  'catalog.explore_total',
  counted(`${PUBLIC_SIGHT.explores('e')} and ${FILTERED}`),
)

const USER_TOTAL = statement<{ total: number }>(
  'catalog.explore_user_total',
  `with ${USER_SIGHT.given}, ${OWN}
   ${counted(`(${USER_SIGHT.explores('e')} or e.offering_id in (select offering_id from own))
     and ${FILTERED} and ${FOLLOWED}`)}`,
)

/** Over all pages. */
export async function exploreTotal(
  { reads }: Pick<WorldDatabase, 'reads'>,
  viewer: Viewer,
  filters: Filters,
): Promise<number> {
  const { total } =
    viewer === null
      ? await reads.one(PUBLIC_TOTAL, values(filters))
      : await reads.one(USER_TOTAL, [...values(filters), viewer, filters.followed ?? null])
  return total
}

function values(filters: Filters): SqlValue[] {
  return [
    filters.exemption ?? null,
    filters.security ?? null,
    filters.testing_the_waters ?? null,
    filters.max_min_investment ?? null,
    filters.closing_before === undefined ? null : storableDay(filters.closing_before),
    filters.min_amount_raised ?? null,
    filters.industry ?? null,
    filters.business_model ?? null,
  ]
}

/** PostgreSQL has no year 0; nothing closes before our era in any case. */
function storableDay(day: string): string {
  return day.startsWith('0000') ? '0001-01-01' : day
}

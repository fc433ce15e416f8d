import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { type SqlValue, statement, type WorldStatement } from '#system/postgres/statement.ts'
import { publicColumns, type ShownOfferingRow, TABLES_OF_PAGE, userColumns } from './offering-store.ts'
import { type Filters, SORTS, type Sort } from './schemas.ts'
import { BEST_RESULTS } from './search.ts'
import { PUBLIC_SIGHT, type Sight, userSight, type Viewer } from './store.ts'

export type Candidate = {
  readonly id: Id<'company'>
  readonly name: string
  readonly tagline: string | null
  readonly page_url: string
  readonly logo_url: string | null
  /** The words of the name, normalized. */
  readonly words: readonly string[]
  /** The words of the search, normalized. */
  readonly typed: readonly string[]
  readonly raising: boolean
  /** bigint arrives as text. */
  readonly raised_cents: string
}

/** How many names each of the lists below adds to the candidates. All candidates are then compared exactly (search.ts). */
const CANDIDATES_MAX = BEST_RESULTS + 50
/** How many trigrams of the query are used: enough for any name, and a limit for long pasted text. */
const GRAMS_MAX = 48
/**
 * How many names are read for each trigram and order. Reading more would not help, because a trigram that many names contain does
 * not distinguish these names.
 */
const SHARING_MAX = 400

/** The order of the index, and an SQL expression for the same order as a number; lower is better. */
type Order = { readonly order: string; readonly place: string }

/**
 * Names that share trigrams with the search; rare trigrams count more. Among names that share the same trigrams, two kinds are
 * preferred: shorter names, because they are closer to the text, and names of companies that are raising or raised more, because
 * a person more probably means these. Each of the two preferences is an order with its own index, and this function is called
 * once for each order. If the list is full, the names that are first in the order stay. The number of rows read is limited, no
 * matter how many companies there are, and only companies that the viewer may see are searched.
 */
const near = (name: string, { order, place }: Order, among: string) => `
  ${name}_near as materialized (
    select found.company_id, sum(found.weight) as weight, min(found.place) as place
      from wanted cross join unnest(${among}) as seen (shown_to) cross join lateral (
        select few.company_id, few.place, 1 / sqrt(count(*) over ()) as weight
          from (select g.company_id, ${place} as place from company_grams g
                 where g.gram = wanted.gram and g.shown_to = seen.shown_to
                 order by ${order}, g.company_id limit ${SHARING_MAX}) few) found
     group by found.company_id),
  ${name} as materialized (
    select company_id from ${name}_near order by weight desc, place, company_id limit ${CANDIDATES_MAX})`

/**
 * The index of trigrams does not contain companies that this user sees only by an own right, such as an invitation. So all of
 * these companies are searched. `offset 0` prevents the planner from reading a whole table.
 */
const OWN = `
  own as materialized (
    select n.company_id
      from (select distinct e.company_id from own_rounds r
             cross join lateral (select company_id from catalog_entries where offering_id = r.offering_id offset 0) e) theirs
     cross join lateral (
       select company_id, grams from company_names
        where company_id = theirs.company_id and (shown_to = any((select shown from eyes)::text[])) is not true
       offset 0) n
     cross join lateral (select count(*) as shared from unnest(n.grams) as gram where gram in (select gram from wanted)) common
     where common.shared > 0
     order by common.shared desc, cardinality(n.grams), n.company_id
     limit ${CANDIDATES_MAX})`

/**
 * The words of the text that was typed, made by the same functions as the words of a company's name
 * (migrations/0020_company_search.sql). `search_fold` ignores case, accents and apostrophes, and spells out letters such as
 * ß and æ. `search_words` splits the text at spaces and punctuation, and ignores `and` after the first word.
 */
const SEARCHED_WORDS = 'search_words(search_fold($1))'

type Among = { readonly sight: Sight; readonly shown: string; readonly own: boolean }

const candidates = ({ sight: { given, sees }, shown, own }: Among) => `
  with ${given},
  asked as materialized (select ${SEARCHED_WORDS} as words),
  wanted as materialized (select unnest((search_grams(words))[1:${GRAMS_MAX}]) as gram from asked),
  ${near('shortest', { order: 'g.grams', place: 'g.grams' }, shown)},
  ${near('best', { order: 'g.standing desc', place: '-g.standing' }, shown)},
  ${own ? `${OWN},` : ''}
  candidates as materialized (
    select company_id from shortest union select company_id from best ${own ? 'union select company_id from own' : ''})
  select c.id, c.name, c.tagline, c.page_url, c.logo_url, n.words, (select words from asked) as typed,
         shown.raising, shown.raised_cents
    from candidates
   cross join lateral (
     select id, name, tagline, page_url, logo_url from companies where id = candidates.company_id offset 0) c
   cross join lateral (select words from company_names where company_id = candidates.company_id offset 0) n
   cross join lateral (
     select bool_or(e.status = 'open') as raising,
            least(coalesce(sum(e.raised_cents) filter (where not e.testing_the_waters), 0), 9007199254740900)::bigint
              as raised_cents
       from catalog_entries e where e.company_id = candidates.company_id and ${sees('e')}) shown
   where shown.raising is not null`

const PUBLIC = statement<Candidate>(
  'catalog.search_public',
  candidates({ sight: PUBLIC_SIGHT, shown: `array['public']`, own: false }),
)

const OF_USER = statement<Candidate>(
  'catalog.search_of_user',
  candidates({ sight: userSight('$2'), shown: '(select shown from eyes)', own: true }),
)

/** Companies whose names resemble the search, in no order. */
export async function findCandidates(
  { reads }: Pick<WorldDatabase, 'reads'>,
  viewer: Viewer,
  query: string,
): Promise<Candidate[]> {
  return viewer === null ? reads.many(PUBLIC, [query]) : reads.many(OF_USER, [query, viewer])
}

/** A row with its place in the list. */
export type ExploreRow = ShownOfferingRow & { readonly place: string }

/** Where a page starts: after this place, or after this many rows. */
export type Start = { readonly after: Place | null; readonly skip: number }
type Place = { readonly key: string; readonly offering: string }

type ExploreOrder = {
  readonly key: string
  readonly type: string
  readonly direction: 'asc' | 'desc'
  readonly first: Place
}

/** `LOW` sorts before every id, and `HIGH` after every id. */
const [LOW, HIGH] = ['', '~'] as const

const ORDERS: Readonly<Record<Sort, ExploreOrder>> = {
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

function descending(key: string, type: string, most: string): ExploreOrder {
  return { key, type, direction: 'desc', first: { key: most, offering: HIGH } }
}

/** The filters $1 to $8, for both views. A parameter is null if the request does not have its filter; `e` is the entry. */
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
 * In a generic plan PostgreSQL would estimate that almost no rows pass each "null or" condition, and would sort the rows. It estimates
 * that half of the rows pass a `case`, and then uses the index that has the right order.
 */
const unguessed = (condition: string) => `case when ${condition} then true else false end`

const VIEWER = '$9'
const FOLLOWED = `($10::boolean is null
  or $10 = exists (select from follows f where f.user_id = ${VIEWER} and f.company_id = e.company_id))`

const USER_SIGHT = userSight(VIEWER)

/**
 * "Including accredited-only and invited rounds": the non-public rounds that this user sees by an own right, such as an invitation.
 * Rounds for all accredited investors are in the list of `explores`. Each round is listed, even if another round of its company is
 * listed too. The cost depends on the number of the user's own rounds, not on the size of the catalogue.
 */
const EXPLORE_OWN = `
  own as materialized (
    select r.offering_id
      from catalog_entries r
     where r.offering_id in (select offering_id from own_rounds) and r.status = 'open'
       and r.shown_to is distinct from 'public' and (${USER_SIGHT.explores('r')}) is not true)`

type Parameters = { readonly key: string; readonly offering: string; readonly skip: string; readonly limit: string }

/** Reads entries with the index of the order, from the start of the page. */
function along(order: ExploreOrder, which: string, { key, offering }: Parameters): string {
  const { key: column, type, direction } = order
  const compare = direction === 'asc' ? '>' : '<'
  return `select e.offering_id, e.${column} as place from catalog_entries e
   where ${which} and (e.${column}, e.offering_id) ${compare} (${key}::${type}, ${offering}::text collate "C")
   order by e.${column} ${direction}, e.offering_id ${direction}`
}

function publicPage(order: ExploreOrder): string {
  const at = { key: '$9', offering: '$10', skip: '$11', limit: '$12' }
  const which = `e.explored_by is not null and ${unguessed(`${PUBLIC_SIGHT.explores('e')} and ${FILTERED}`)}`
  return `with page as materialized (${along(order, which, at)} limit ${at.limit} offset ${at.skip})
   ${shown(order, publicColumns(PUBLIC_SIGHT))}`
}

/** Merges two lists that have the same order. Each list is limited to the rows that the page can need. */
function userPage(order: ExploreOrder): string {
  const at = { key: '$11', offering: '$12', skip: '$13', limit: '$14' }
  const most = `limit ${at.limit}::bigint + ${at.skip}::bigint`
  const listed = `e.explored_by is not null
     and ${unguessed(`${USER_SIGHT.explores('e')} and ${FILTERED} and ${FOLLOWED}`)}`
  const own = `e.offering_id in (select offering_id from own) and ${FILTERED} and ${FOLLOWED}`
  return `with ${USER_SIGHT.given}, ${EXPLORE_OWN},
   page as materialized (
     (${along(order, listed, at)} ${most}) union all (${along(order, own, at)} ${most})
     order by place ${order.direction}, offering_id ${order.direction} limit ${at.limit} offset ${at.skip})
   ${shown(order, userColumns(USER_SIGHT, VIEWER))}`
}

function shown({ direction }: ExploreOrder, columns: string): string {
  return `select ${columns}, page.place::text as place
     from ${TABLES_OF_PAGE}
    order by page.place ${direction}, page.offering_id ${direction}`
}

const pages = (name: string, page: (order: ExploreOrder) => string) =>
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
  `with ${USER_SIGHT.given}, ${EXPLORE_OWN}
   ${counted(`(${USER_SIGHT.explores('e')} or e.offering_id in (select offering_id from own))
     and ${FILTERED} and ${FOLLOWED}`)}`,
)

/** The number of offerings on all pages. */
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

/** PostgreSQL rejects the year 0, so it is replaced by the year 1, before which no offering closes. */
function storableDay(day: string): string {
  return day.startsWith('0000') ? '0001-01-01' : day
}

/** The first open offerings of the public catalogue, for a list to choose from. */
export async function openOfferings(db: WorldDatabase, limit: number) {
  const start = { after: null, skip: 0 }
  const rows = await explorePage(db, null, { sort: 'most_raised', filters: {}, start, limit })
  return rows.map(({ id, company_id, company_name, testing_the_waters }) => {
    return { id, company_id, company_name, testing_the_waters }
  })
}

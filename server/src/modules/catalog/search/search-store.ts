import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { PUBLIC_SIGHT, type Sight, userSight } from '../sight-sql-store.ts'
import type { Viewer } from '../viewer.ts'

export type Candidate = {
  readonly id: Id<'company'>
  readonly name: string
  readonly tagline: string | null
  readonly page_url: string
  readonly logo_url: string | null
  /** The words of the name and those looked for, both as search compares them. */
  readonly words: readonly string[]
  readonly asked: readonly string[]
  readonly raising: boolean
  /** bigint arrives as text. */
  readonly raised_cents: string
}

/** How many names are looked at closely. Those that have most in common with what is looked for, the shorter first. */
const CANDIDATES_MAX = 100
/** What is looked for by: enough for any name, and a bound for whoever pastes a page. */
const GRAMS_MAX = 48

const candidates = ({ sees }: Sight, given: string) => `
  with ${given},
  asked as materialized (select search_words(search_fold($1)) as words),
  near as materialized (
    select g.company_id, count(*) as shared, min(g.grams) as grams
      from company_grams g
     where g.gram = any((select (search_grams(words))[1:${GRAMS_MAX}] from asked)::text[])
     group by g.company_id),
  seen as materialized (
    select n.company_id from near n
     where exists (select from catalog_entries e where e.company_id = n.company_id and ${sees('e')})
     order by n.shared desc, n.grams, n.company_id
     limit ${CANDIDATES_MAX})
  select c.id, c.name, c.tagline, c.page_url, c.logo_url, search_words(search_fold(c.name)) as words,
         (select words from asked) as asked, shown.raising, shown.raised_cents
    from seen s join companies c on c.id = s.company_id
   cross join lateral (
     select bool_or(e.status = 'open') as raising, least(sum(e.raised_cents), 9007199254740900)::bigint as raised_cents
       from catalog_entries e where e.company_id = c.id and ${sees('e')}) shown`

const PUBLIC = statement<Candidate>('catalog.search_public', candidates(PUBLIC_SIGHT, PUBLIC_SIGHT.given))

const USER_SIGHT = userSight('$2')
const OF_USER = statement<Candidate>('catalog.search_of_user', candidates(USER_SIGHT, USER_SIGHT.given))

/** Companies whose names have something in common with what is looked for, in no order. */
export async function findCandidates(
  { reads }: Pick<WorldDatabase, 'reads'>,
  viewer: Viewer,
  query: string,
): Promise<Candidate[]> {
  return viewer === null ? reads.many(PUBLIC, [query]) : reads.many(OF_USER, [query, viewer])
}

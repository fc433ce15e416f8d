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

/** How many names are looked at closely. */
const CANDIDATES_MAX = 100
/** What is looked for by: enough for any name, and a bound for whoever pastes a page. */
const GRAMS_MAX = 48
/** Of the names that share three letters so many are considered, the shorter first: what most names have tells little. */
const SHARING_MAX = 400

/**
 * Names that share letters with what is looked for, those first that share what few others have. Everything is read along
 * an index and up to a bound, however many companies there are; who may not be seen makes room for the next
 * (`offset 0` keeps the planner from reading a table as a whole instead).
 */
const candidates = ({ sees, given }: Sight) => `
  with ${given},
  asked as materialized (select search_words(search_fold($1)) as words),
  wanted as materialized (select unnest((search_grams(words))[1:${GRAMS_MAX}]) as gram from asked),
  near as materialized (
    select found.company_id, sum(found.weight) as weight, min(found.grams) as grams
      from wanted cross join lateral (
        select few.company_id, few.grams, 1 / sqrt(count(*) over ()) as weight
          from (select g.company_id, g.grams from company_grams g where g.gram = wanted.gram
                 order by g.grams, g.company_id limit ${SHARING_MAX}) few) found
     group by found.company_id),
  seen as materialized (
    select n.company_id
      from (select company_id from near order by weight desc, grams, company_id offset 0) n
     where exists (select from catalog_entries e where e.company_id = n.company_id and ${sees('e')} offset 0)
     limit ${CANDIDATES_MAX})
  select c.id, c.name, c.tagline, c.page_url, c.logo_url, search_words(search_fold(c.name)) as words,
         (select words from asked) as asked, shown.raising, shown.raised_cents
    from seen s
   cross join lateral (
     select id, name, tagline, page_url, logo_url from companies where id = s.company_id offset 0) c
   cross join lateral (
     select bool_or(e.status = 'open') as raising, least(sum(e.raised_cents), 9007199254740900)::bigint as raised_cents
       from catalog_entries e where e.company_id = c.id and ${sees('e')}) shown`

const PUBLIC = statement<Candidate>('catalog.search_public', candidates(PUBLIC_SIGHT))

const USER_SIGHT = userSight('$2')
const OF_USER = statement<Candidate>('catalog.search_of_user', candidates(USER_SIGHT))

/** Companies whose names have something in common with what is looked for, in no order. */
export async function findCandidates(
  { reads }: Pick<WorldDatabase, 'reads'>,
  viewer: Viewer,
  query: string,
): Promise<Candidate[]> {
  return viewer === null ? reads.many(PUBLIC, [query]) : reads.many(OF_USER, [query, viewer])
}

import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { BEST_RESULTS } from './search.ts'
import { PUBLIC_SIGHT, type Sight, userSight, type Viewer } from './store.ts'

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

/** How many names are looked at closely, of those that are nearest and of those of the best standing among the near. */
const CANDIDATES_MAX = BEST_RESULTS + 50
/** How many parts of the query are searched: enough for any name, and a bound for pasted text. */
const GRAMS_MAX = 48
/** Of the names that share three letters so many are considered in either order: what most names have tells little. */
const SHARING_MAX = 400

/** How the index is ordered, and the same as a number of which less is better. */
type Order = { readonly order: string; readonly place: string }

/**
 * Names that share letters with what is looked for, those first that share what few others have. Among as near ones the
 * shorter are closer to what was typed and those of better standing were meant more likely, so both are looked for, each
 * along its own index: of two names with the same letters the one before the other in that order is in every list the
 * other is in. All of it up to a bound, however many companies there are, and among none but those the viewer may see
 * (`offset 0` keeps the planner from reading a table as a whole instead).
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

/** What only this user sees is not among those names: it is found among all of theirs. */
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

type Among = { readonly sight: Sight; readonly shown: string; readonly own: boolean }

const candidates = ({ sight: { given, sees }, shown, own }: Among) => `
  with ${given},
  asked as materialized (select search_words(search_fold($1)) as words),
  wanted as materialized (select unnest((search_grams(words))[1:${GRAMS_MAX}]) as gram from asked),
  ${near('shortest', { order: 'g.grams', place: 'g.grams' }, shown)},
  ${near('best', { order: 'g.standing desc', place: '-g.standing' }, shown)},
  ${own ? `${OWN},` : ''}
  candidates as materialized (
    select company_id from shortest union select company_id from best ${own ? 'union select company_id from own' : ''})
  select c.id, c.name, c.tagline, c.page_url, c.logo_url, n.words, (select words from asked) as asked,
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

/** Companies whose names have something in common with what is looked for, in no order. */
export async function findCandidates(
  { reads }: Pick<WorldDatabase, 'reads'>,
  viewer: Viewer,
  query: string,
): Promise<Candidate[]> {
  return viewer === null ? reads.many(PUBLIC, [query]) : reads.many(OF_USER, [query, viewer])
}

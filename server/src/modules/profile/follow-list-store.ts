import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { userSight, type Viewer } from '#modules/catalog/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type FollowedCompany = {
  readonly id: Id<'company'>
  readonly name: string
  readonly tagline: string | null
  readonly page_url: string
  readonly logo_url: string | null
  readonly raising: boolean
  readonly profile_available: boolean
  readonly followed_at: WorldTime
}

/** A place in the list: the row after which a page begins. */
type FollowPlace = { readonly followedAt: string; readonly company: string }

/** Every id begins with a letter, and this is after all of them. */
const START: FollowPlace = { followedAt: 'infinity', company: '~' }

/** With $2 for the viewer everywhere: nobody sees with everybody's eyes. */
const SIGHT = userSight('$2')

/**
 * Of `companies c`, as the catalogue sees: whether GET /companies/{id} shows it, and whether a round that can be seen
 * takes investments or reservations. Added up and not asked by `exists`, with which the planner may read every round
 * there is instead of this company's.
 */
const SEEN = `(
  select coalesce(bool_or(${SIGHT.sees('e')}), false) or exists (
           select from company_people p where p.company_id = c.id and p.user_id = $2 and p.ended_at is null) as shown,
         coalesce(bool_or(e.status = 'open' and ${SIGHT.sees('e')}), false) as raising
    from catalog_entries e where e.company_id = c.id) seen`

/**
 * Along the index from the place on: a page costs the same wherever it is. What the list leaves out is left out here,
 * before the page is cut, so that a page is as long as it can be.
 */
const listOf = (which: string) => `
  with ${SIGHT.given}
  select c.id, c.name, c.tagline, c.page_url, c.logo_url, f.followed_at, seen.raising, seen.shown as profile_available
    from follows f join companies c on c.id = f.company_id cross join lateral ${SEEN}
   where f.user_id = $1 and (f.followed_at, f.company_id) < ($3::timestamptz, $4::text collate "C") ${which}
   order by f.followed_at desc, f.company_id desc
   limit $5`

const LISTS = {
  every: statement<FollowedCompany>('profile.follows_every', listOf('')),
  public: statement<FollowedCompany>('profile.follows_public', listOf('and c.promotion_opt_in')),
}

type FollowList = keyof typeof LISTS

type Wanted = {
  readonly list: FollowList
  readonly viewer: Viewer
  readonly after: FollowPlace | null
  readonly limit: number
}

/** The newest first. */
export async function listFollows(
  queries: WorldQueries,
  user: Id<'user'>,
  { list, viewer, after, limit }: Wanted,
): Promise<FollowedCompany[]> {
  const { followedAt, company } = after ?? START
  return queries.many(LISTS[list], [user, viewer, followedAt, company, limit])
}

const SHOWN = statement<{ shown: boolean }>(
  'profile.company_shown',
  `with ${SIGHT.given}
   select seen.shown from companies c cross join lateral ${SEEN} where c.id = $1`,
)

/** False also where there is no such company. */
export async function isShownTo(queries: WorldQueries, user: Id<'user'>, company: Id<'company'>): Promise<boolean> {
  return (await queries.maybeOne(SHOWN, [company, user]))?.shown ?? false
}

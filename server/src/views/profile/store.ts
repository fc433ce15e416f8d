import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { CompanyRole } from '#market/companies/index.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { shortStatement, statement } from '#system/postgres/statement.ts'
import { userSight, type Viewer } from '#views/catalog/index.ts'

export type MyCompany = {
  readonly id: Id<'company'>
  readonly name: string
  readonly tagline: string | null
  readonly page_url: string
  readonly roles: readonly CompanyRole[]
  readonly raising: boolean
}

/**
 * A team member sees every round of the company. The highest role is first. The laterals read each company by its key: with a join or
 * `exists` the planner would read all companies and rounds, because it does not know that few belong to one person.
 */
const LIST = statement<MyCompany>(
  'profile.my_companies',
  `select c.id, c.name, c.tagline, c.page_url, held.roles, rounds.raising
     from (select company_id,
                  array_agg(role order by array_position(array['founder', 'admin', 'editor', 'employee'], role)) as roles
             from company_people where user_id = $1 and ended_at is null
            group by company_id) held
     cross join lateral (select id, name, tagline, page_url from companies where id = held.company_id offset 0) c
     cross join lateral (select coalesce(bool_or(status = 'open'), false) as raising
                           from offerings where company_id = held.company_id) rounds`,
)

/** Returns all companies without pages, because a person has few. */
export async function companiesOf(queries: WorldQueries, user: Id<'user'>): Promise<MyCompany[]> {
  return queries.many(LIST, [user])
}

/** The fields of a person's profile; legal name, postal address and accreditation are not part of it. */
export type ProfileRow = {
  readonly name: string
  readonly first_name: string | null
  readonly email: string
  readonly username: string | null
  readonly bio: string | null
  readonly avatar_url: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
  readonly created_at: WorldTime
  readonly certified_at: WorldTime | null
}

const PROFILE = `
  select name, first_name, email, username, bio, avatar_url, city, state, country, created_at, certified_at
    from users where id = $1 and deactivated_at is null`

const READ = shortStatement<ProfileRow>('profile.read', PROFILE)
const READ_IN = statement<ProfileRow>('profile.read_in', PROFILE)

/** Null for a deactivated user. */
export async function readProfile(db: WorldDatabase, user: Id<'user'>): Promise<ProfileRow | null> {
  return (await db.short(READ, [user]))[0] ?? null
}

/** Like `readProfile`, but also sees what this transaction has written. */
export async function readProfileIn(queries: WorldQueries, user: Id<'user'>): Promise<ProfileRow | null> {
  return queries.maybeOne(READ_IN, [user])
}

export type ConnectedApp = {
  readonly id: Id<'app'>
  /** The connection's installation. */
  readonly connection: Id<'installation'>
  /** bigint arrives as text. */
  readonly legacy_id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly last_active_at: WorldTime | null
  readonly created_at: WorldTime
}

/**
 * An app has the scopes of its connection. It also has the scopes of tokens from a connection that this connection replaced, until these
 * tokens expire. last_active_at is the time at which the app last got a token, because a working app usually gets one every two hours.
 * Tokens have their creation in real time, which this statement converts to world time, and their expiry in world time.
 */
const CONNECTED_APP_LIST = statement<ConnectedApp>(
  'profile.connected_apps',
  `select a.id, i.id as connection, a.legacy_id, a.name, world_time_at(seen.last_token_at) as last_active_at, seen.created_at,
          array(select unnest(i.scopes)
                union
                select unnest(t.scopes)
                  from installations e join access_tokens t on t.installation_id = e.id
                 where e.user_id = i.user_id and e.app_id = i.app_id and e.superseded and t.kind = 'user'
                   and t.revoked_at is null and t.expires_at > world_now()) as scopes
     from installations i
     join platform.apps a on a.id = i.app_id
     cross join lateral (
       select min(e.installed_at) as created_at,
              greatest(max((select max(t.created_at) from access_tokens t where t.installation_id = e.id)),
                       max((select max(coalesce(f.rotated_at, f.created_at)) from refresh_families f
                             where f.installation_id = e.id))) as last_token_at
         from installations e where e.user_id = i.user_id and e.app_id = i.app_id) seen
    where i.user_id = $1 and i.state = 'active'`,
)

/** The apps that are connected now. */
export async function connectedAppsOf(queries: WorldQueries, user: Id<'user'>): Promise<ConnectedApp[]> {
  return queries.many(CONNECTED_APP_LIST, [user])
}

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

/** A place in the list: the page starts after this row. */
type FollowPlace = { readonly followedAt: string; readonly company: string }

/** The start of the list. `~` sorts after every id, because every id begins with a letter. */
const START: FollowPlace = { followedAt: 'infinity', company: '~' }

/** $2 is the viewer; null for the public view. */
const SIGHT = userSight('$2')

/**
 * For `companies c`, by the rules of the catalogue: whether GET /companies/{id} shows it, and whether a round that the viewer sees
 * accepts investments or reservations. The rounds are aggregated, because with `exists` the planner might read the rounds of all
 * companies.
 */
const SEEN = `(
  select coalesce(bool_or(${SIGHT.sees('e')}), false) or exists (
           select from company_people p where p.company_id = c.id and p.user_id = $2 and p.ended_at is null) as shown,
         coalesce(bool_or(e.status = 'open' and ${SIGHT.sees('e')}), false) as raising
    from catalog_entries e where e.company_id = c.id) seen`

/**
 * Scans the index from the start of the page, so every page costs the same. The filter is applied before the limit, so that pages are
 * full.
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

/** Returns the newest follows first. */
export async function listFollows(
  queries: WorldQueries,
  user: Id<'user'>,
  { list, viewer, after, limit }: Wanted,
): Promise<FollowedCompany[]> {
  const { followedAt, company } = after ?? START
  return queries.many(LISTS[list], [user, viewer, followedAt, company, limit])
}

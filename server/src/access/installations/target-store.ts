import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { COMPANY_TIERS, type InstallerTier } from './grant-rules.ts'
import type { Target } from './installation.ts'

type Active = { readonly id: Id<'installation'>; readonly targetId: string }

/** Searches by target, with the index for the target's type, because an app may have very many installations, but a target has few. */
const ACTIVE_ON = statement<Active>(
  'installations.active_on',
  `select id, company_id as "targetId" from installations
    where app_id = $1 and state = 'active' and company_id = any($2)
   union all
   select id, syndicate_id from installations
    where app_id = $1 and state = 'active' and syndicate_id = any($2)`,
)

/** The active installations of an app on these targets, by the target's id. */
export async function activeOn(
  queries: WorldQueries,
  app: Id<'app'>,
  targets: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, Id<'installation'>>> {
  const rows = await queries.many(ACTIVE_ON, [app, targets.map(({ id }) => id)])
  return new Map(rows.map(({ id, targetId }) => [targetId, id]))
}

/** The types of target on which an app can be installed. A user connects an app by consent instead. */
export type InstallTarget =
  | { readonly type: 'company'; readonly id: Id<'company'> }
  | { readonly type: 'syndicate'; readonly id: Id<'syndicate'> }

/** A company or syndicate where a user may install apps now, and the tier. Reads tables of other modules. */
export type InstallableTarget = InstallTarget & { readonly name: string; readonly tier: InstallerTier }

const TIER_ARRAY = `array[${COMPANY_TIERS.map((role) => `'${role}'`).join(', ')}]`

/** The companies where user $1 has a role that may install apps; one row per role. */
const COMPANY_ROLES = `
  select company_id, array_position(${TIER_ARRAY}, role) as rank from company_people
   where user_id = $1 and ended_at is null and role = any(${TIER_ARRAY})`

const INSTALLABLE = `
  select 'company' as type, c.id, c.name, (${TIER_ARRAY})[held.rank] as tier
    from (select company_id, min(rank) as rank from (${COMPANY_ROLES}) roles group by company_id) held
    join companies c on c.id = held.company_id
  union all
  select 'syndicate', s.id, s.name, 'manager'
    from syndicate_managers m join syndicates s on s.id = m.syndicate_id
   where m.user_id = $1`

const INSTALLABLE_OF = statement<InstallableTarget>('installations.standings', `${INSTALLABLE} order by type, name, id`)

/** On a company its founders, admins and editors install apps, on a syndicate its managers. Sorted by name, companies before syndicates. */
export async function installableTargetsOf(queries: WorldQueries, user: Id<'user'>): Promise<InstallableTarget[]> {
  return queries.many(INSTALLABLE_OF, [user])
}

const INSTALLABLE_ONE = statement<InstallableTarget>(
  'installations.standing',
  `select type, id, name, tier from (${INSTALLABLE}) held where id = $2`,
)

/** Null if the user may not install apps on the target. */
export async function findInstallableTarget(
  queries: WorldQueries,
  user: Id<'user'>,
  target: { readonly id: string },
): Promise<InstallableTarget | null> {
  return queries.maybeOne(INSTALLABLE_ONE, [user, target.id])
}

const KNOWN = {
  company: statement<{ known: boolean }>(
    'installations.company_known',
    `select exists (select from offerings where company_id = $1 and listed)
         or exists (select from company_people where company_id = $1 and user_id = $2)
         or exists (select from investments where company_id = $1 and investor_id = $2) as known`,
  ),
  syndicate: statement<{ known: boolean }>(
    'installations.syndicate_known',
    `select exists (select from syndicates where id = $1 and published)
         or exists (select from memberships where syndicate_id = $1 and user_id = $2) as known`,
  ),
}

/**
 * Whether a user may know that the target exists: a company with a listed offering, one where they have or had a role, or
 * one they invested in; a published syndicate, or one where they are or were a member.
 */
export async function isKnown(queries: WorldQueries, user: Id<'user'>, { type, id }: InstallTarget): Promise<boolean> {
  return (await queries.one(KNOWN[type], [id, user])).known
}

const ON_TEAM = statement<{ onTeam: boolean }>(
  'installations.user_on_team',
  `select exists (
     select from platform.account_users u
       join platform.organization_members m on m.account_id = u.account_id
       join platform.apps a on a.organization_id = m.organization_id
      where u.user_id = $1 and u.world = $2 and a.id = $3) as "onTeam"`,
)

/** Whether the user is an owner, admin or developer of the organization behind an app. */
export async function isOnTeam(queries: WorldQueries, user: Id<'user'>, app: Id<'app'>): Promise<boolean> {
  return (await queries.one(ON_TEAM, [user, queries.world, app])).onTeam
}

const ACTIVE_THERE = statement<{ id: Id<'installation'> }>(
  'installations.active_there',
  `select id from installations where state = 'active' and company_id = any($1)
   union all
   select id from installations where state = 'active' and syndicate_id = any($1)`,
)

/** The active installations of all apps on these companies and syndicates. */
export async function activeThere(
  queries: WorldQueries,
  targets: readonly { readonly id: string }[],
): Promise<readonly Id<'installation'>[]> {
  return (await queries.many(ACTIVE_THERE, [targets.map(({ id }) => id)])).map(({ id }) => id)
}

/** "Revoked ones stay listed 30 days", in the world's time. */
const LISTED = `(i.state = 'active' or i.revoked_at > world_now() - interval '30 days')`

/** The app's team sees all installations of the app. */
const OF_APP = 'from installations i where i.app_id = $2'

/**
 * The installations that another user sees: those that they made or could revoke. Each branch uses its own index, because a popular app has
 * very many installations, but a person has very few.
 */
const OF_USER = `from installations i
  where i.app_id = $2 and i.id in (
    select id from installations where installed_by_user_id = $1
    union select id from installations where user_id = $1
    union select on_company.id
            from (${COMPANY_ROLES}) p join installations on_company on on_company.company_id = p.company_id
    union select on_syndicate.id
            from syndicate_managers m join installations on_syndicate on on_syndicate.syndicate_id = m.syndicate_id
           where m.user_id = $1)`

type Row = { readonly id: Id<'installation'> }

const LIST = `${LISTED} and i.target_type = any($3) and ($4::text is null or i.id < $4) order by i.id desc limit $5`
const ONE = `i.id = $3 and ($4 or ${LISTED})`
/** $1 is the user in every statement; it is null for the app's team. */
const WITHOUT_USER = '$1::text is null'

const LIST_OF_APP = statement<Row>('installations.list_of_app', `select i.id ${OF_APP} and ${WITHOUT_USER} and ${LIST}`)
const LIST_OF_USER = statement<Row>('installations.list_of_user', `select i.id ${OF_USER} and ${LIST}`)
const SEEN_BY_APP = statement<Row>('installations.seen_by_app', `select i.id ${OF_APP} and ${WITHOUT_USER} and ${ONE}`)
const SEEN_BY_USER = statement<Row>('installations.seen_by_user', `select i.id ${OF_USER} and ${ONE}`)

/** All installations of an app (user null), or those that concern one user. */
export type Viewer = { readonly app: Id<'app'>; readonly user: Id<'user'> | null }

export type Wanted = {
  readonly targetTypes: readonly Target['type'][]
  readonly before: string | null
  readonly limit: number
}

/** Newest first. */
export async function listIds(
  queries: WorldQueries,
  { app, user }: Viewer,
  { targetTypes, before, limit }: Wanted,
): Promise<readonly Id<'installation'>[]> {
  const list = user === null ? LIST_OF_APP : LIST_OF_USER
  return (await queries.many(list, [user, app, targetTypes, before, limit])).map(({ id }) => id)
}

/** `any` includes installations revoked too long ago to be listed. */
export type Age = 'listed' | 'any'

export async function isVisible(
  queries: WorldQueries,
  { app, user }: Viewer,
  { id, age }: { readonly id: Id<'installation'>; readonly age: Age },
): Promise<boolean> {
  const seen = user === null ? SEEN_BY_APP : SEEN_BY_USER
  return (await queries.maybeOne(seen, [user, app, id, age === 'any'])) !== null
}

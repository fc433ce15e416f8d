import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { COMPANY_TIERS, type InstallerTier } from './tier-asked.ts'

type Active = { readonly id: Id<'installation'>; readonly targetId: string }

/** Each target by the index of its kind: an app may have very many installations, and a target very few. */
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

/** What an app can be installed on by somebody; users are connected by their consent. */
export type InstallTarget =
  | { readonly type: 'company'; readonly id: Id<'company'> }
  | { readonly type: 'syndicate'; readonly id: Id<'syndicate'> }

/** A company or syndicate a user may install on at this moment, and as what. The rows belong to others, and are only read. */
export type Standing = InstallTarget & { readonly name: string; readonly tier: InstallerTier }

const TIERS = `array[${COMPANY_TIERS.map((role) => `'${role}'`).join(', ')}]`

/** Where the user of the first parameter holds a role with which apps are installed, each as often as they hold one. */
export const COMPANY_ROLES = `
  select company_id, array_position(${TIERS}, role) as rank from company_people
   where user_id = $1 and ended_at is null and role = any(${TIERS})`

const STANDINGS = `
  select 'company' as type, c.id, c.name, (${TIERS})[held.rank] as tier
    from (select company_id, min(rank) as rank from (${COMPANY_ROLES}) roles group by company_id) held
    join companies c on c.id = held.company_id
  union all
  select 'syndicate', s.id, s.name, 'manager'
    from syndicate_managers m join syndicates s on s.id = m.syndicate_id
   where m.user_id = $1`

const STANDINGS_OF = statement<Standing>('installations.standings', `${STANDINGS} order by type, name, id`)

/** Companies first, each kind by name. */
export async function standingsOf(queries: WorldQueries, user: Id<'user'>): Promise<Standing[]> {
  return queries.many(STANDINGS_OF, [user])
}

const STANDING = statement<Standing>(
  'installations.standing',
  `select type, id, name, tier from (${STANDINGS}) held where id = $2`,
)

/** Null for who may not install there. */
export async function findStanding(
  queries: WorldQueries,
  user: Id<'user'>,
  target: { readonly id: string },
): Promise<Standing | null> {
  return queries.maybeOne(STANDING, [user, target.id])
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
 * Whether a user may know that it is there: a company with an offering that everybody can see, where they have or had a
 * role, or in which they invested, be it where nobody else can look; a published syndicate, or one they have something
 * to do with.
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

/** Owner, admin or developer of the organization behind an app. */
export async function isOnTeam(queries: WorldQueries, user: Id<'user'>, app: Id<'app'>): Promise<boolean> {
  return (await queries.one(ON_TEAM, [user, queries.world, app])).onTeam
}

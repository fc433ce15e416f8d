import { LIFETIME_SECONDS } from '#access/tokens/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import { SHOWING_INVESTORS } from './grant-rules.ts'
import type { Installation, Target } from './installation.ts'
import { endText, findText, type InstallationRow, installationOf, supersededText } from './store.ts'

type InstallationId = Id<'installation'>

/** One statement per world: changes to an app affect its installations in both. */
const inEach = <T>(make: (world: World) => T) => ({ test: make('test'), live: make('live') })

const beyondText = (world: World) => `
  select id from ${world}.installations
   where app_id = $1 and state = 'active' and (not scopes <@ $2 or scopes && $3) order by id`

const LOCK_EXCEEDING = inEach((world) =>
  platformStatement<{ id: InstallationId }>(
    `installations.lock_exceeding_${world}`,
    `${beyondText(world)} for no key update`,
  ),
)

export type Bounds = {
  readonly app: Id<'app'>
  /** All scopes that the app's installations may still carry. */
  readonly allowed: readonly string[]
  /** The removed scopes. */
  readonly removed: readonly string[]
}

/** Installations that hold more than they may. The transaction has locked the app's row, so no new one appears. */
export async function lockExceeding(
  tx: PlatformTx,
  world: World,
  { app, allowed, removed }: Bounds,
): Promise<Installation[]> {
  const locked = await tx.many(LOCK_EXCEEDING[world], [app, allowed, removed])
  return findInstallationsIn(
    tx,
    world,
    locked.map(({ id }) => id),
  )
}

const FIND_EXCEEDING = inEach((world) =>
  platformStatement<{ id: InstallationId }>(`installations.find_exceeding_${world}`, beyondText(world)),
)

/** Like `lockExceeding`, but without the lock, for a preview. */
export async function findExceeding(
  queries: PlatformQueries,
  world: World,
  { app, allowed, removed }: Bounds,
): Promise<Installation[]> {
  const found = await queries.many(FIND_EXCEEDING[world], [app, allowed, removed])
  return findInstallationsIn(
    queries,
    world,
    found.map(({ id }) => id),
  )
}

export type InstallationCounts = { readonly active: number; readonly lacking: number }

/** The same scopes for each kind of target, without those that take no effect there. */
type ScopesByTarget = Readonly<Record<Target['type'], readonly string[]>>

type Counting = {
  readonly app: Id<'app'>
  readonly scopes: ScopesByTarget
  readonly ending: readonly InstallationId[]
}

const COUNT = inEach((world) =>
  platformStatement<InstallationCounts>(
    `installations.count_${world}`,
    `select count(*)::int as active, count(*) filter (where id <> all($5) and not scopes @>
                case target_type when 'user' then $2::text[] when 'company' then $3::text[] else $4::text[] end)::int as lacking
       from ${world}.installations where app_id = $1 and state = 'active'`,
  ),
)

/** The active installations of an app, and how many of them, without the `ending` ones, lack a scope for their target. */
export async function countActive(
  queries: PlatformQueries,
  world: World,
  { app, scopes: { user, company, syndicate }, ending }: Counting,
): Promise<InstallationCounts> {
  return queries.one(COUNT[world], [app, user, company, syndicate, ending])
}

const LOCK_OF_APPS = inEach((world) =>
  platformStatement<{ id: InstallationId }>(
    `installations.lock_of_apps_${world}`,
    `select id from ${world}.installations where app_id = any($1) and state = 'active' order by id for no key update`,
  ),
)

/** All active installations of apps whose rows the transaction has locked. */
export async function lockInstallationsOf(
  tx: PlatformTx,
  world: World,
  apps: readonly Id<'app'>[],
): Promise<Installation[]> {
  const locked = await tx.many(LOCK_OF_APPS[world], [apps])
  return findInstallationsIn(
    tx,
    world,
    locked.map(({ id }) => id),
  )
}

const LOCK_USER = inEach((world) =>
  platformStatement<{ id: string }>(
    `installations.lock_${world}_user`,
    `select id from ${world}.users where id = $1 for no key update`,
  ),
)

const LOCK_OF_USER = inEach((world) =>
  platformStatement<{ id: InstallationId }>(
    `installations.lock_connections_${world}`,
    `select id from ${world}.installations where user_id = $1 and state = 'active' order by id for no key update`,
  ),
)

/** All active connections of a user. Locks the user first, as every consent does, so that none is added meanwhile. */
export async function lockConnectionsIn(tx: PlatformTx, world: World, user: Id<'user'>): Promise<Installation[]> {
  await tx.maybeOne(LOCK_USER[world], [user])
  const locked = await tx.many(LOCK_OF_USER[world], [user])
  return findInstallationsIn(
    tx,
    world,
    locked.map(({ id }) => id),
  )
}

const FIND = inEach((world) => platformStatement<InstallationRow>(`installations.find_${world}`, findText(`${world}.`)))

export async function findInstallationsIn(
  tx: PlatformQueries,
  world: World,
  ids: readonly InstallationId[],
): Promise<Installation[]> {
  return (await tx.many(FIND[world], [ids])).map(installationOf)
}

const SHOWING = `array[${SHOWING_INVESTORS.map((name) => `'${name}'`).join(', ')}]`

/** Includes superseded connections for the lifetime of a user access token, because superseding does not revoke these tokens. */
const DEPENDENT_ON_APPROVAL = inEach((world) =>
  platformStatement<{ id: InstallationId; active: boolean }>(
    `installations.resting_on_approval_${world}`,
    `select id, state = 'active' as active from ${world}.installations
      where app_id = $1 and pii_by = 'approval' and scopes && ${SHOWING}
        and (state = 'active'
             or (superseded and revoked_at > ${world}.world_now() - interval '${LIFETIME_SECONDS.user} seconds'))
      order by id for no key update`,
  ),
)

/**
 * The installations that show who investors are only because the platform approved the app: active ones, and superseded
 * connections whose access tokens may still be valid.
 */
export async function lockDependentOnApproval(tx: PlatformTx, world: World, app: Id<'app'>) {
  const locked = await tx.many(DEPENDENT_ON_APPROVAL[world], [app])
  const ids = (active: boolean) => locked.filter((row) => row.active === active).map(({ id }) => id)
  return { active: await findInstallationsIn(tx, world, ids(true)), replaced: ids(false) }
}

const SET_SCOPES = inEach((world) =>
  platformStatement(
    `installations.set_scopes_${world}`,
    `update ${world}.installations i
        set scopes = array(select jsonb_array_elements_text(narrowed.scopes)),
            taken_scopes = i.taken_scopes || array(
              select name from unnest(i.scopes) as name where not narrowed.scopes @> to_jsonb(name))
       from pg_catalog.jsonb_to_recordset($1::jsonb) as narrowed (id text, scopes jsonb) where i.id = narrowed.id`,
  ),
)

type Narrowed = { readonly id: InstallationId; readonly scopes: readonly string[] }

export async function setScopesIn(tx: PlatformTx, world: World, narrowed: readonly Narrowed[]): Promise<void> {
  if (narrowed.length > 0) await tx.run(SET_SCOPES[world], [JSON.stringify(narrowed)])
}

const END = inEach((world) => platformStatement(`installations.end_${world}`, endText(`${world}.`)))

export async function endRowsIn(
  tx: PlatformTx,
  world: World,
  { ids, role }: { readonly ids: readonly InstallationId[]; readonly role: string },
): Promise<void> {
  await tx.run(END[world], [ids, role, false])
}

const SUPERSEDED = inEach((world) =>
  platformStatement<{ id: InstallationId }>(`installations.superseded_${world}`, supersededText(`${world}.`)),
)

export async function findSupersededIn(
  tx: PlatformQueries,
  world: World,
  ids: readonly InstallationId[],
): Promise<readonly InstallationId[]> {
  return (await tx.many(SUPERSEDED[world], [ids])).map(({ id }) => id)
}

const COUNT_ACTIVE = inEach((world) =>
  platformStatement<{ count: number }>(
    `installations.count_active_${world}`,
    `select count(*)::int as count from ${world}.installations where app_id = any($1) and state = 'active'`,
  ),
)

export async function countInstallations(queries: PlatformQueries, world: World, apps: readonly Id<'app'>[]) {
  return (await queries.one(COUNT_ACTIVE[world], [apps])).count
}

import { LIFETIME_SECONDS } from '#access/tokens/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import { SHOWING_INVESTORS } from './grant-rules.ts'
import type { Installation, Target } from './installation.ts'
import { endText, findText, type InstallationRow, installationOf, supersededText } from './store.ts'

type InstallationId = Id<'installation'>

/** One statement per world, because a change to an app affects its installations in both worlds. */
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
  /** All scopes that the app's installations may still have. */
  readonly allowed: readonly string[]
  /** The removed scopes. */
  readonly removed: readonly string[]
}

/** Installations with more scopes than they may have. The transaction has locked the app's row, so no new installation appears. */
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

/** Like `lockExceeding`, but without a lock, for a preview. */
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

/** The scopes that an installation on each type of target should have: only scopes that have an effect on that type. */
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

/** How many active installations an app has, and how many of them lack a scope for their target. The latter number omits `ending`. */
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
 * Locks the installations that depend on the platform's approval of the app: without it, they may not show the identities of investors.
 * These are active installations, and superseded connections whose access tokens may still be valid.
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

/** An installation with the partner that owns the app. */
export type PartnerInstallation = {
  readonly installation: Installation
  readonly app: { readonly id: Id<'app'>; readonly name: string }
  readonly organization: { readonly id: Id<'organization'>; readonly name: string }
}

type PartnerRow = {
  readonly id: InstallationId
  readonly app_id: Id<'app'>
  readonly app_name: string
  readonly organization_id: Id<'organization'>
  readonly organization_name: string
}

const listing = (world: World, by: string, fits: string) =>
  platformStatement<PartnerRow>(
    `installations.list_${by}_${world}`,
    `select i.id, a.id as app_id, a.name as app_name, o.id as organization_id, o.name as organization_name
       from ${world}.installations i join platform.apps a on a.id = i.app_id
       join platform.organizations o on o.id = a.organization_id
      where ${fits} and ($2::text is null or i.state = $2) and ($3::text is null or i.target_type = $3)
        and ($4::text is null or a.organization_id = $4) and ($5::text is null or i.app_id = $5)
        and ($6::text is null or i.id < $6)
      order by i.id desc limit $7`,
  )

/** The list of all installations is read by the primary key, the list of an app or a target by an index. Other filters have no index. */
const LISTS = {
  all: inEach((world) => listing(world, 'all', '$1::text is null')),
  app: inEach((world) => listing(world, 'of_app', 'i.app_id = $1')),
  target: inEach((world) => listing(world, 'on_target', '$1 in (i.company_id, i.syndicate_id, i.user_id)')),
}

export type InstallationFilter = {
  readonly app: Id<'app'> | null
  readonly organization: Id<'organization'> | null
  readonly targetType: Target['type'] | null
  readonly target: string | null
  readonly state: Installation['state'] | null
}

type NewestFirst = { readonly before: string | null; readonly limit: number }

/** The installations of all partners, newest first. */
export async function listInstallationsOfPartners(
  queries: PlatformQueries,
  world: World,
  { app, organization, targetType, target, state }: InstallationFilter,
  { before, limit }: NewestFirst,
): Promise<readonly PartnerInstallation[]> {
  const [list, first] = target !== null ? (['target', target] as const) : ([app === null ? 'all' : 'app', app] as const)
  const rows = await queries.many(LISTS[list][world], [first, state, targetType, organization, app, before, limit])
  const found = await findInstallationsIn(
    queries,
    world,
    rows.map(({ id }) => id),
  )
  const byId = new Map(found.map((installation) => [installation.id, installation]))
  return rows.flatMap(({ id, ...row }) => {
    const installation = byId.get(id)
    if (installation === undefined) return []
    const app = { id: row.app_id, name: row.app_name }
    return [{ installation, app, organization: { id: row.organization_id, name: row.organization_name } }]
  })
}

/**
 * How many days of real time a team has to confirm the deletion before the removal duty is overdue. The usage conditions require
 * the deletion itself at once.
 */
export const CONFIRMED_WITHIN_DAYS = 30

export const DUTY_STATES = ['open', 'overdue', 'confirmed'] as const
export type DutyState = (typeof DUTY_STATES)[number]

/** Who recorded that data is deleted: a member of the app's team, or an operator. */
export const CONFIRMED_AS = ['team', 'platform'] as const

/** Times are real time, as text. `details` is JSON text, as `removalDue` wrote it. */
export type DutyRow = {
  readonly id: string
  readonly at: string
  readonly due_by: string
  readonly state: DutyState
  readonly details: string
  readonly app_id: Id<'app'>
  readonly app_name: string
  readonly organization_id: Id<'organization'>
  readonly organization_name: string
  readonly confirmed_at: string | null
  readonly confirmed_by: string | null
  readonly confirmed_as: (typeof CONFIRMED_AS)[number] | null
}

const DUE_BY = `e.at + interval '${CONFIRMED_WITHIN_DAYS} days'`
const DUTY_STATE = `case when c.id is not null then 'confirmed' when ${DUE_BY} < clock_timestamp() then 'overdue' else 'open' end`

/**
 * A duty is an entry of the audit, and so is its confirmation: neither is ever changed or removed. A confirmation without `by` is older than
 * the team's right to confirm, so an operator made it.
 */
const DUTIES = `platform.audit_entries e
  left join lateral (
    select c.id, c.at, c.actor, coalesce(c.details ->> 'by', 'platform') as confirmed_as
      from platform.audit_entries c
     where c.action = 'installation.removal_confirmed' and c.details ->> 'duty' = e.id::text order by c.id limit 1) c on true
  where e.action = 'installation.removal_due'`

const LIST_DUTIES = platformStatement<DutyRow>(
  'installations.list_duties',
  `select d.id::text as id, d.at, d.due_by, d.state, d.details, a.id as app_id, a.name as app_name,
          o.id as organization_id, o.name as organization_name, d.confirmed_at, d.confirmed_by,
          d.confirmed_as
     from (select e.id, e.at, ${DUE_BY} as due_by, ${DUTY_STATE} as state, e.details::text as details,
                  e.details ->> 'mode' as mode, e.subject, c.at as confirmed_at, c.actor as confirmed_by,
                  c.confirmed_as
             from ${DUTIES}) d
     join platform.apps a on a.id = d.subject join platform.organizations o on o.id = a.organization_id
    where d.mode = $1 and ($2::text is null or d.state = $2) and ($3::text is null or d.subject = $3)
      and ($4::bigint is null or d.id = $4) and d.id > $5::bigint
    order by d.id limit $6`,
)

type DutyFilter = { readonly state: DutyState | null; readonly app: Id<'app'> | null; readonly id: string | null }

/** The removal duties, oldest first. Includes the duties of deleted apps. */
export async function listDuties(
  queries: PlatformQueries,
  world: World,
  { state, app, id }: DutyFilter,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly DutyRow[]> {
  return queries.many(LIST_DUTIES, [world, state, app, id, after === '' ? '0' : after, limit])
}

export type DutyCounts = Readonly<Record<DutyState, number>>

const COUNT_DUTIES = platformStatement<{ state: DutyState; count: number }>(
  'installations.count_duties',
  `select ${DUTY_STATE} as state, count(*)::int as count from ${DUTIES} and e.details ->> 'mode' = $1 group by 1`,
)

export async function countDuties(queries: PlatformQueries, world: World): Promise<DutyCounts> {
  const rows = await queries.many(COUNT_DUTIES, [world])
  const countOf = (state: DutyState) => rows.find((row) => row.state === state)?.count ?? 0
  return { open: countOf('open'), overdue: countOf('overdue'), confirmed: countOf('confirmed') }
}

/** If two confirmations run at once, the second waits and sees the first. */
const LOCK_DUTY = platformStatement<{ id: string }>(
  'installations.lock_duty',
  `select id::text as id from platform.audit_entries
    where id = $1::bigint and action = 'installation.removal_due' for no key update`,
)

export async function lockDuty(tx: PlatformTx, world: World, id: string): Promise<DutyRow | null> {
  if ((await tx.maybeOne(LOCK_DUTY, [id])) === null) return null
  const [duty] = await listDuties(tx, world, { state: null, app: null, id }, { after: '', limit: 1 })
  return duty ?? null
}

import type { Picture, PictureType } from '#http/response-bodies.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import type { App } from './app.ts'

/**
 * A gate in front of an app's row, so that transactions take turns. Issuing a token locks the row `for share`. PostgreSQL grants
 * further share locks on such a row even while a transaction waits to change it. So an app that requests tokens without pause could
 * never be suspended (measured: a change waited 30 s behind 40 issuers and failed). An advisory lock is granted in the order of
 * requests, so a token request that comes after a waiting change waits behind it.
 *
 * Every transaction locks the gate first and the row second; the gate opens when the transaction ends. A transaction that also locks
 * a user locks the user before the gate.
 */
const SEED = 15

/** A shared lock, for transactions that issue tokens. */
export const enterGate = (app: string) => `pg_advisory_xact_lock_shared(hashtextextended(${app}, ${SEED}))`

/** A shared lock without waiting. False while a transaction changes the app or waits to change it. */
export const tryGate = (app: string) => `pg_try_advisory_xact_lock_shared(hashtextextended(${app}, ${SEED}))`

/** An exclusive lock, for a transaction that changes the app. */
export const closeGate = (app: string) => `pg_advisory_xact_lock(hashtextextended(${app}, ${SEED}))`

const APP = `
  a.id, a.organization_id, o.name as organization_name, o.state as organization_state, a.name, a.description,
  a.website_url, a.setup_url, a.api_version, a.scopes, a.state, a.suspended_at, a.suspended_reason,
  a.disabled_at, a.approved_at, a.approval_requested_at, a.approval_declined_at, a.pii_requested_at, a.pii_approved_at, a.conditions_version, a.conditions_accepted_by,
  a.conditions_accepted_at, a.first_approved_at, a.first_live_token_at, a.first_installed_at, a.created_at,
  l.digest as logo_digest`

const FROM = `from platform.apps a join platform.organizations o on o.id = a.organization_id
    left join platform.app_logos l on l.app_id = a.id`

const FIND = platformStatement<App>('apps.find', `select ${APP} ${FROM} where a.id = $1 and a.deleted_at is null`)

export async function findApp(queries: PlatformQueries, id: Id<'app'>): Promise<App | null> {
  return queries.maybeOne(FIND, [id])
}

const CLOSE = platformStatement('apps.close_gate', `select ${closeGate('$1')}`)

/**
 * Waits for transactions that are issuing tokens and have locked the row `for share`. Later transactions of this kind wait for this lock.
 */
const LOCK = platformStatement<{ id: Id<'app'> }>(
  'apps.lock_for_change',
  'select id from platform.apps where id = $1 for update',
)

export async function lockApp(tx: PlatformTx, id: Id<'app'>): Promise<boolean> {
  await tx.run(CLOSE, [id])
  return (await tx.maybeOne(LOCK, [id])) !== null
}

const INSERT = platformStatement(
  'apps.insert',
  `insert into platform.apps (id, organization_id, name, description, website_url, setup_url, api_version, scopes,
                              conditions_version, conditions_accepted_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
)

export type AppTexts = Pick<App, 'name' | 'description' | 'website_url' | 'setup_url'>

export type AppToInsert = AppTexts &
  Pick<App, 'id' | 'organization_id' | 'api_version' | 'scopes' | 'conditions_version' | 'conditions_accepted_by'>

export async function insertApp(tx: PlatformTx, app: AppToInsert): Promise<void> {
  await tx.run(INSERT, [
    app.id,
    app.organization_id,
    app.name,
    app.description,
    app.website_url,
    app.setup_url,
    app.api_version,
    app.scopes,
    app.conditions_version,
    app.conditions_accepted_by,
  ])
}

const UPDATE = platformStatement(
  'apps.update',
  `update platform.apps set name = $2, description = $3, website_url = $4, setup_url = $5, api_version = $6
    where id = $1`,
)

const UPDATE_KEYS_VERSION = platformStatement(
  'apps.update_keys_version',
  'update platform.app_keys set api_version = $2 where app_id = $1 and api_version <> $2',
)

export async function updateTexts(tx: PlatformTx, id: Id<'app'>, app: AppTexts & Pick<App, 'api_version'>) {
  const { name, description, website_url, setup_url, api_version } = app
  await tx.run(UPDATE, [id, name, description, website_url, setup_url, api_version])
  await tx.run(UPDATE_KEYS_VERSION, [id, api_version])
}

const WRITE_SCOPES = platformStatement(
  'apps.write_scopes',
  'update platform.apps set scopes = $2, revision = revision + 1 where id = $1',
)

const WRITE_KEYS_SCOPES = platformStatement(
  'apps.write_keys_scopes',
  'update platform.app_keys set scopes = $2 where app_id = $1',
)

/** "Saving writes the scopes to the app and every key (test and live)." The caller has locked the app with `lockAppForChange`. */
export async function writeScopes(tx: PlatformTx, id: Id<'app'>, scopes: readonly string[]): Promise<void> {
  await tx.run(WRITE_SCOPES, [id, scopes])
  await tx.run(WRITE_KEYS_SCOPES, [id, scopes])
}

const COUNT = platformStatement<{ count: number }>(
  'apps.count_of_organization',
  'select count(*)::int as count from platform.apps where organization_id = $1 and disabled_at is null',
)

/** How many apps count toward the organization's maximum. Disabled apps do not count. */
export async function countApps(tx: PlatformTx, organization: Id<'organization'>): Promise<number> {
  return (await tx.one(COUNT, [organization])).count
}

const OF_TEAM = platformStatement<App>(
  'apps.list_of_team',
  `select ${APP} ${FROM} join platform.organization_members m on m.organization_id = a.organization_id
    where m.account_id = $1 and a.deleted_at is null and a.id > $2 and ($3::text is null or a.organization_id = $3)
    order by a.id limit $4`,
)

export type AppsPage = {
  readonly after: string
  readonly limit: number
  readonly organization: Id<'organization'> | null
}

/** The apps of every organization whose team this account is on. */
export async function listOfTeam(queries: PlatformQueries, account: Id<'account'>, page: AppsPage): Promise<App[]> {
  return queries.many(OF_TEAM, [account, page.after, page.organization, page.limit])
}

/**
 * The requests that wait for the platform's decision. Only requests of active apps of active organizations are included. A new
 * app waits for its approval from its creation on. A team whose app is in a program can only request the higher tier, tier 1.
 */
export const WAITING = `(
  select 'approval' as kind, a.id as app_id, null as program, null::smallint as tier,
         coalesce(a.approval_requested_at, a.created_at) as since
    from platform.apps a
   where a.approved_at is null
     and (a.approval_declined_at is null or a.approval_requested_at > a.approval_declined_at)
  union all
  select 'pii', a.id, null, null, a.pii_requested_at
    from platform.apps a where a.pii_requested_at is not null and a.pii_approved_at is null
  union all
  select 'program', p.app_id, p.program, case when p.approved_at is null then p.tier else 1 end, p.requested_at
    from platform.app_programs p where p.requested_at is not null and (p.approved_at is null or p.requested_at > p.approved_at)
) w join platform.apps a on a.id = w.app_id and a.deleted_at is null and a.state = 'active'
    join platform.organizations o on o.id = a.organization_id and o.state = 'active'`

const LIST = platformStatement<App>(
  'apps.list',
  `select ${APP} ${FROM}
    where a.deleted_at is null and a.id > $1 and ($2::text is null or a.organization_id = $2)
      and (not $3 or a.id in (select w.app_id from ${WAITING}))
    order by a.id limit $4`,
)

export type AllAppsPage = AppsPage & { readonly openRequests: boolean }

export async function listApps(queries: PlatformQueries, page: AllAppsPage): Promise<App[]> {
  return queries.many(LIST, [page.after, page.organization, page.openRequests, page.limit])
}

const DELETE_SECRETS = platformStatement(
  'apps.delete_secrets',
  `delete from platform.app_secrets s using platform.app_keys k where k.id = s.key_id and k.app_id = $1`,
)

const DELETE_PROGRAMS = platformStatement('apps.delete_programs', 'delete from platform.app_programs where app_id = $1')
const DELETE_LOGO = platformStatement('apps.delete_logo_with_app', 'delete from platform.app_logos where app_id = $1')

/** A deleted app is also marked as disabled, for code that checks only whether an app may act. */
const MARK = platformStatement(
  'apps.mark_deleted',
  `update platform.apps set deleted_at = clock_timestamp(), disabled_at = coalesce(disabled_at, clock_timestamp())
    where id = $1`,
)

/** The caller has locked the app and ended its keys. */
export async function markDeleted(tx: PlatformTx, id: Id<'app'>): Promise<void> {
  for (const rows of [DELETE_SECRETS, DELETE_PROGRAMS, DELETE_LOGO, MARK]) await tx.run(rows, [id])
}

/** What happened to an app. `details` is JSON text. */
export type HistoryEntry = {
  readonly id: string
  readonly at: string
  readonly actor: string
  /** The name of the account, of the app's own key or of the operator key. */
  readonly actor_name: string | null
  readonly action: string
  readonly details: string
  /** Whether an operator acted: a key, or a person of the platform's staff with their account. */
  readonly by_operator: boolean
  readonly reason: string | null
}

/** Only entries about changes. Entries about operators who read the history are only in the audit. */
const PAGE = platformStatement<HistoryEntry>(
  'apps.history',
  `select e.id, e.at, e.actor, coalesce(a.name, o.name, k.name) as actor_name, e.action, e.details,
          e.by_operator, e.reason
     from platform.audit_entries e
     left join platform.accounts a on a.id = e.actor
     left join platform.operator_keys o on o.id = e.actor
     left join platform.app_keys k on k.id = e.actor
    where e.subject = $1 and e.action <> 'operator.read' and ($2::bigint is null or e.id < $2::bigint)
    order by e.id desc limit $3`,
)

type HistoryPage = { readonly before: string | null; readonly limit: number }

/** Newest first. */
export async function listHistory(queries: PlatformQueries, app: Id<'app'>, { before, limit }: HistoryPage) {
  return queries.many(PAGE, [app, before, limit])
}

const WAS_THERE = platformStatement<{ id: string }>('apps.was_there', 'select id from platform.apps where id = $1')

/** Whether the app exists or existed before it was deleted. */
export async function wasThere(queries: PlatformQueries, app: Id<'app'>): Promise<boolean> {
  return (await queries.maybeOne(WAS_THERE, [app])) !== null
}

type Logo = { readonly media_type: PictureType; readonly bytes: Buffer; readonly digest: Buffer }

const LOGO_FIND = platformStatement<Logo>(
  'apps.logo',
  'select media_type, bytes, digest from platform.app_logos where app_id = $1',
)

export async function findLogo(queries: PlatformQueries, app: Id<'app'>): Promise<Logo | null> {
  return queries.maybeOne(LOGO_FIND, [app])
}

const WRITE = platformStatement(
  'apps.write_logo',
  `insert into platform.app_logos (app_id, media_type, bytes, digest) values ($1, $2, $3, $4)
   on conflict on constraint app_logos_pkey do update
      set media_type = excluded.media_type, bytes = excluded.bytes, digest = excluded.digest,
          updated_at = clock_timestamp()`,
)

export async function writeLogo(
  tx: PlatformTx,
  app: Id<'app'>,
  { mediaType, bytes, digest }: Picture & { digest: Buffer },
) {
  await tx.run(WRITE, [app, mediaType, bytes, digest])
}

const DELETE = platformStatement('apps.delete_logo', 'delete from platform.app_logos where app_id = $1')

/** False if there was no logo. */
export async function deleteLogo(tx: PlatformTx, app: Id<'app'>): Promise<boolean> {
  return (await tx.run(DELETE, [app])) === 1
}

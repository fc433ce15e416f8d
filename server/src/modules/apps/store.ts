import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import type { App } from './app.ts'
import { closeGate } from './gate-store.ts'

const APP = `
  a.id, a.organization_id, o.name as organization_name, o.state as organization_state, a.name, a.description,
  a.website_url, a.setup_url, a.api_version, a.scopes, a.state, a.suspended_at, a.suspended_reason,
  a.disabled_at, a.approved_at, a.pii_requested_at, a.pii_approved_at, a.conditions_version, a.conditions_accepted_by,
  a.conditions_accepted_at, a.first_approved_at, a.first_live_token_at, a.first_installed_at, a.created_at,
  l.digest as logo_digest`

const FROM = `from platform.apps a join platform.organizations o on o.id = a.organization_id
    left join platform.app_logos l on l.app_id = a.id`

const FIND = platformStatement<App>('apps.find', `select ${APP} ${FROM} where a.id = $1 and a.deleted_at is null`)

export async function findApp(queries: PlatformQueries, id: Id<'app'>): Promise<App | null> {
  return queries.maybeOne(FIND, [id])
}

const CLOSE = platformStatement('apps.close_gate', `select ${closeGate('$1')}`)

/** Whoever issues holds the row `for share` and is waited for; who comes to issue later waits for us. */
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

/** "Saving writes the scopes to the app and every key (test and live)." Under the lock of `lockAppForChange`. */
export async function writeScopes(tx: PlatformTx, id: Id<'app'>, scopes: readonly string[]): Promise<void> {
  await tx.run(WRITE_SCOPES, [id, scopes])
  await tx.run(WRITE_KEYS_SCOPES, [id, scopes])
}

const COUNT = platformStatement<{ count: number }>(
  'apps.count_of_organization',
  'select count(*)::int as count from platform.apps where organization_id = $1 and disabled_at is null',
)

/** Those that count toward the organization's cap: disabled ones do not. */
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

/** A request is open until it is granted; one for a higher tier comes after the lower one was granted. */
const LIST = platformStatement<App>(
  'apps.list',
  `select ${APP} ${FROM}
    where a.deleted_at is null and a.id > $1 and ($2::text is null or a.organization_id = $2)
      and (not $3 or (a.pii_requested_at is not null and a.pii_approved_at is null)
           or exists (select from platform.app_programs p
                       where p.app_id = a.id and (p.approved_at is null or p.requested_at > p.approved_at)))
    order by a.id limit $4`,
)

export type AllAppsPage = AppsPage & { readonly openRequests: boolean }

export async function listApps(queries: PlatformQueries, page: AllAppsPage): Promise<App[]> {
  return queries.many(LIST, [page.after, page.organization, page.openRequests, page.limit])
}

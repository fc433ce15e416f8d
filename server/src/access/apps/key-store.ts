import type { ClientId, Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import type { ClientType, KeyState } from './app.ts'

/** A key with the data that its app's team sees. Times are real time, as text. */
export type AppKey = {
  readonly id: ClientId
  readonly app_id: Id<'app'>
  readonly world: World
  readonly name: string
  readonly client_type: ClientType
  readonly redirect_uris: readonly string[]
  readonly state: KeyState
  readonly created_at: string
  readonly revoked_at: string | null
}

const KEY = 'id, app_id, world, name, client_type, redirect_uris, state, created_at, revoked_at'

const FIND = platformStatement<AppKey>(
  'apps.find_key',
  `select ${KEY} from platform.app_keys where app_id = $1 and id = $2`,
)

export async function findKey(queries: PlatformQueries, app: Id<'app'>, id: ClientId): Promise<AppKey | null> {
  return queries.maybeOne(FIND, [app, id])
}

/** Sorted by id: live keys before test keys, because ids begin with the world; in each world the newest key last. */
const LIST = platformStatement<AppKey>(
  'apps.list_keys',
  `select ${KEY} from platform.app_keys where app_id = $1 and id > $2 order by id limit $3`,
)

export type KeysPage = { readonly after: string; readonly limit: number }

export async function listKeys(queries: PlatformQueries, app: Id<'app'>, { after, limit }: KeysPage) {
  return queries.many(LIST, [app, after, limit])
}

const COUNT = platformStatement<{ count: number }>(
  'apps.count_keys',
  `select count(*)::int as count from platform.app_keys where app_id = $1 and world = $2 and state <> 'revoked'`,
)

export async function countKeys(tx: PlatformTx, app: Id<'app'>, world: World): Promise<number> {
  return (await tx.one(COUNT, [app, world])).count
}

/** Copies the state, the scopes and the API version of the app; later changes of the app update every key. */
const INSERT = platformStatement(
  'apps.insert_key',
  `insert into platform.app_keys (id, app_id, world, name, client_type, redirect_uris, scopes, api_version, state)
   select $1, a.id, $3, $4, $5, $6, a.scopes, a.api_version, a.state from platform.apps a where a.id = $2`,
)

export type KeyTexts = Pick<AppKey, 'name' | 'client_type' | 'redirect_uris'>

export async function insertKey(tx: PlatformTx, key: KeyTexts & Pick<AppKey, 'id' | 'app_id' | 'world'>) {
  await tx.run(INSERT, [key.id, key.app_id, key.world, key.name, key.client_type, key.redirect_uris])
}

const UPDATE = platformStatement(
  'apps.update_key',
  `update platform.app_keys set name = $3, client_type = $4, redirect_uris = $5 where app_id = $1 and id = $2`,
)

const RAISE_REVISION = platformStatement(
  'apps.raise_revision',
  'update platform.apps set revision = revision + 1 where id = $1',
)

/** Increases the revision, so that a concurrent token request reads the key again. */
export async function updateKeyRow(tx: PlatformTx, { app_id, id, ...key }: KeyTexts & Pick<AppKey, 'id' | 'app_id'>) {
  await tx.run(UPDATE, [app_id, id, key.name, key.client_type, key.redirect_uris])
  await tx.run(RAISE_REVISION, [app_id])
}

const REVOKE = platformStatement(
  'apps.revoke_key',
  `update platform.app_keys set state = 'revoked', revoked_at = clock_timestamp() where app_id = $1 and id = $2`,
)

export async function revokeKeyRow(tx: PlatformTx, app: Id<'app'>, id: ClientId): Promise<void> {
  await tx.run(REVOKE, [app, id])
  await tx.run(RAISE_REVISION, [app])
}

/** When a secret was created and when it expires; only its digest is stored. */
export type KeySecret = {
  readonly key_id: ClientId
  readonly created_at: string
  readonly expires_at: string | null
}

const IN_FORCE = platformStatement<KeySecret>(
  'apps.secrets_in_force',
  `select key_id, created_at, expires_at from platform.app_secrets
    where key_id = any($1) and (expires_at is null or expires_at > clock_timestamp()) order by key_id, created_at`,
)

export async function secretsInForce(queries: PlatformQueries, keys: readonly ClientId[]): Promise<KeySecret[]> {
  return queries.many(IN_FORCE, [keys])
}

const SECRET_INSERT = platformStatement(
  'apps.insert_secret',
  'insert into platform.app_secrets (key_id, hash) values ($1, $2)',
)

export async function insertSecret(tx: PlatformTx, key: ClientId, hash: Buffer): Promise<void> {
  await tx.run(SECRET_INSERT, [key, hash])
}

/** Deletes all but the newest secret, which is the one without an end time. */
const DROP_OLDER = platformStatement(
  'apps.drop_older_secrets',
  'delete from platform.app_secrets where key_id = $1 and expires_at is not null',
)

const LET_RUN_OUT = platformStatement(
  'apps.let_secret_run_out',
  `update platform.app_secrets set expires_at = clock_timestamp() + make_interval(secs => $2) where key_id = $1`,
)

/** Sets an end time for the newest secret, and deletes an older one. */
export async function letRunOut(tx: PlatformTx, key: ClientId, overlapSeconds: number): Promise<void> {
  await tx.run(DROP_OLDER, [key])
  await tx.run(LET_RUN_OUT, [key, overlapSeconds])
}

const DROP = platformStatement('apps.drop_secrets', 'delete from platform.app_secrets where key_id = $1')

export async function dropSecrets(tx: PlatformTx, key: ClientId): Promise<void> {
  await tx.run(DROP, [key])
}

export type ExpiringSecret = {
  readonly app: Id<'app'>
  readonly world: World
  readonly key: ClientId
  readonly name: string
  readonly expires_at: string
}

/**
 * Locks the organization and the app before the secret, in the same order as a rotation and the end of an organization. Rows that another
 * transaction has locked are skipped until the next round, so this statement never waits. Apps that are not active get no notice.
 */
const TAKE_EXPIRING = platformStatement<ExpiringSecret>(
  'apps.take_expiring_secrets',
  `with due as materialized (
     select s.key_id, s.hash, k.app_id, k.world, k.name
       from platform.app_secrets s
       join platform.app_keys k on k.id = s.key_id and k.state = 'active'
       join platform.apps a on a.id = k.app_id
       join platform.organizations o on o.id = a.organization_id
      where s.expires_at > clock_timestamp() and s.expires_at <= clock_timestamp() + make_interval(hours => $1)
        and s.expiry_noticed_at is null
      limit $2 for key share of o, a skip locked for no key update of s skip locked)
   update platform.app_secrets s set expiry_noticed_at = clock_timestamp()
     from due where s.key_id = due.key_id and s.hash = due.hash
   returning due.app_id as app, due.world, due.key_id as key, due.name, s.expires_at`,
)

/** Returns the secrets that end within this many hours and about which the app's team got no notice yet, and marks them as noticed. */
export async function takeExpiringSecrets(tx: PlatformTx, hours: number, limit: number): Promise<ExpiringSecret[]> {
  return tx.many(TAKE_EXPIRING, [hours, limit])
}

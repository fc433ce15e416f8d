import type { PlatformRole } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx, WorldDatabase } from '#system/postgres/database.ts'
import { platformStatement, shortStatement, statement } from '#system/postgres/statement.ts'

/** The database computes the expiry with its own clock, which it also uses for the time of creation. */
const INSERT = platformStatement<{ expires_at: string | null }>(
  'operator.insert_key',
  `insert into platform.operator_keys (id, world, name, secret_hash, role, reason, expires_at)
   values ($1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(days => $7))
   returning expires_at`,
)

export type NewKey = {
  readonly id: Id<'operatorKey'>
  readonly world: World
  readonly name: string
  readonly hash: Buffer
  readonly role: PlatformRole
  readonly reason: string | null
  /** Null for a key that never expires. */
  readonly days: number | null
}

/** Returns when the key expires. */
export async function insertKey(tx: PlatformTx, key: NewKey): Promise<string | null> {
  const { id, world, name, hash, role, reason, days } = key
  return (await tx.one(INSERT, [id, world, name, hash, role, reason, days])).expires_at
}

/** Times are wall time, as text. */
export type KeyRow = {
  readonly id: Id<'operatorKey'>
  readonly world: World
  readonly name: string
  readonly role: PlatformRole
  readonly created_at: string
  readonly expires_at: string | null
  readonly expired: boolean
  readonly last_used_at: string | null
  readonly revoked_at: string | null
}

const LIST = platformStatement<KeyRow>(
  'operator.list_keys',
  `select id, world, name, role, created_at, expires_at, expires_at <= clock_timestamp() is true as expired,
          last_used_at, revoked_at
     from platform.operator_keys order by created_at, id`,
)

export async function listKeys(queries: PlatformQueries): Promise<readonly KeyRow[]> {
  return queries.many(LIST)
}

const DIGESTS = platformStatement<{ secret_hash: Buffer }>(
  'operator.list_digests',
  'select secret_hash from platform.operator_keys',
)

/** The digests of all keys, also of revoked ones. */
export async function listDigests(queries: PlatformQueries): Promise<readonly Buffer[]> {
  return (await queries.many(DIGESTS)).map(({ secret_hash }) => secret_hash)
}

const REVOKE = platformStatement<{ world: World; name: string }>(
  'operator.revoke_key',
  `update platform.operator_keys set revoked_at = clock_timestamp()
    where id = $1 and revoked_at is null
   returning world, name`,
)

/** Null if the key is unknown or already revoked. An expired key can still be revoked. */
export async function revokeKey(tx: PlatformTx, id: Id<'operatorKey'>) {
  return tx.maybeOne(REVOKE, [id])
}

const FIND = platformStatement<{ revoked_at: string | null }>(
  'operator.find_key',
  'select revoked_at from platform.operator_keys where id = $1',
)

export async function findKey(queries: PlatformQueries, id: Id<'operatorKey'>) {
  return queries.maybeOne(FIND, [id])
}

export type KeyInForce = {
  readonly id: Id<'operatorKey'>
  readonly name: string
  readonly role: PlatformRole
  readonly reason: string | null
  readonly unused_lately: boolean
}

/** Uses the unique index of the digests. Runs on every request with an operator key, so that revocation and expiry take effect at once. */
const AUTHENTICATE = shortStatement<KeyInForce>(
  'operator.authenticate',
  `select id, name, role, reason, coalesce(last_used_at < clock_timestamp() - interval '1 minute', true) as unused_lately
     from platform.operator_keys
    where secret_hash = $1 and world = $2 and revoked_at is null
      and (expires_at is null or expires_at > clock_timestamp())`,
)

export async function findKeyInForce(db: WorldDatabase, hash: Buffer): Promise<KeyInForce | null> {
  const [key] = await db.short(AUTHENTICATE, [hash, db.world])
  return key ?? null
}

/** Checks the age of `last_used_at` again, so that only one of several concurrent requests with the same key writes. */
const TOUCH = statement(
  'operator.touch_key',
  `update platform.operator_keys set last_used_at = clock_timestamp()
    where id = $1 and coalesce(last_used_at < clock_timestamp() - interval '1 minute', true)`,
)

export async function touchKey(db: WorldDatabase, id: Id<'operatorKey'>): Promise<void> {
  await db.reads.run(TOUCH, [id])
}

import type { WallTime } from '#kernel/clock.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { platformStatement, type SqlValue, statement } from '#system/postgres/statement.ts'

export type KeyOwner = { readonly caller: string; readonly operation: string; readonly key: string }
export type StoredResponse = { readonly fingerprint: Buffer; readonly answer: Buffer | null }

/** The idempotency keys of one world or of the platform, within one transaction. */
export type KeyStore = {
  /** True if this request now owns the key. */
  claim(owner: KeyOwner, fingerprint: Buffer, now: WallTime): Promise<boolean>
  find(owner: KeyOwner): Promise<StoredResponse>
  store(owner: KeyOwner, answer: Buffer): Promise<void>
}

/** How long a key and its response are stored: a day. */
const KEY_LIFETIME_HOURS = 24

/**
 * Claims the key if it has no row, or if its row has expired. An expired row is updated in place, so that there is no gap between
 * a delete and an insert. Any other row is only locked, so that it cannot be purged before it is read.
 */
const claimIn = (table: string) =>
  `insert into ${table} as stored (caller, operation, key, fingerprint, created_at)
   values ($1, $2, $3, $4, $5)
   on conflict on constraint idempotency_keys_pkey do update
      set fingerprint = excluded.fingerprint, created_at = excluded.created_at, answer = null
    where stored.created_at <= $6
   returning true as claimed`

const findIn = (table: string) =>
  `select fingerprint, answer from ${table} where caller = $1 and operation = $2 and key = $3`

const storeIn = (table: string) => `update ${table} set answer = $4 where caller = $1 and operation = $2 and key = $3`

const purgeIn = (table: string) =>
  `delete from ${table} where (caller, operation, key) in (
     select caller, operation, key from ${table}
      where created_at <= clock_timestamp() - interval '${KEY_LIFETIME_HOURS} hours' order by created_at limit $1
      for update skip locked)`

const WORLD = 'idempotency_keys'
const CLAIM = statement<{ claimed: boolean }>('idempotency.claim', claimIn(WORLD))
const FIND = statement<StoredResponse>('idempotency.find', findIn(WORLD))
const STORE = statement('idempotency.store', storeIn(WORLD))
const PURGE = statement('idempotency.purge', purgeIn(WORLD))

const PLATFORM = 'platform.idempotency_keys'
const PLATFORM_CLAIM = platformStatement<{ claimed: boolean }>('idempotency.platformClaim', claimIn(PLATFORM))
const PLATFORM_FIND = platformStatement<StoredResponse>('idempotency.platformFind', findIn(PLATFORM))
const PLATFORM_STORE = platformStatement('idempotency.platformStore', storeIn(PLATFORM))
const PLATFORM_FORGET = platformStatement('idempotency.platformForget', `delete from ${PLATFORM} where caller = $1`)
const PLATFORM_PURGE = platformStatement('idempotency.platformPurge', purgeIn(PLATFORM))

export function worldKeys(tx: Tx): KeyStore {
  return {
    claim: async (...claim) => (await tx.maybeOne(CLAIM, claimValues(...claim)))?.claimed ?? false,
    find: (owner) => tx.one(FIND, ownerValues(owner)),
    store: async (owner, response) => requireStored(await tx.run(STORE, [...ownerValues(owner), response])),
  }
}

export function platformKeys(ptx: PlatformTx): KeyStore {
  return {
    claim: async (...claim) => (await ptx.maybeOne(PLATFORM_CLAIM, claimValues(...claim)))?.claimed ?? false,
    find: (owner) => ptx.one(PLATFORM_FIND, ownerValues(owner)),
    store: async (owner, response) => requireStored(await ptx.run(PLATFORM_STORE, [...ownerValues(owner), response])),
  }
}

/**
 * A request with a repeated key gets the stored response, and the use case with its access checks does not run again. So a route
 * that removes a right from a caller of platform routes must call this function in the same transaction. Otherwise a stored
 * response (for example with a secret) would still be returned. A POST that accepts an `Idempotency-Key` must not call it for its
 * own caller, because the key of the running request would be deleted too.
 */
export async function deleteResponsesOf(ptx: PlatformTx, callerIdentity: string): Promise<void> {
  await ptx.run(PLATFORM_FORGET, [callerIdentity])
}

/**
 * Deletes up to `limit` expired keys of this world and returns their number. If the number is less than `limit`, the only
 * expired keys that are left are locked by other transactions.
 */
export async function purgeExpired(tx: Tx, limit: number): Promise<number> {
  return tx.run(PURGE, [limit])
}

/** Like `purgeExpired`, for the keys in the platform's table. */
export async function purgeExpiredOfPlatform(ptx: PlatformTx, limit: number): Promise<number> {
  return ptx.run(PLATFORM_PURGE, [limit])
}

function claimValues(owner: KeyOwner, fingerprint: Buffer, now: WallTime): readonly SqlValue[] {
  return [...ownerValues(owner), fingerprint, at(now), at(now - KEY_LIFETIME_HOURS * 3_600_000)]
}

function ownerValues({ caller, operation, key }: KeyOwner): readonly SqlValue[] {
  return [caller, operation, key]
}

function requireStored(written: number): void {
  if (written !== 1) throw new Error('an idempotency key was deleted while its request was running')
}

function at(ms: number): string {
  return new Date(ms).toISOString()
}

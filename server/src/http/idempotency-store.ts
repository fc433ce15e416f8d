import type { WallTime } from '#kernel/clock.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type KeyOwner = { readonly caller: string; readonly operation: string; readonly key: string }

const KEPT_MS = 24 * 60 * 60 * 1_000

/**
 * Takes the key if nobody has it, or if whoever had it is past its time; an expired row is taken over in place, so
 * there is no moment between deleting and inserting. A row that is neither is left as it is, but locked, so that it
 * cannot be purged before it is read.
 */
const CLAIM = statement<{ claimed: boolean }>(
  'idempotency.claim',
  `insert into idempotency_keys as held (caller, operation, key, fingerprint, created_at)
   values ($1, $2, $3, $4, $5)
   on conflict on constraint idempotency_keys_pkey do update
      set fingerprint = excluded.fingerprint, created_at = excluded.created_at, answer = null
    where held.created_at <= $6
   returning true as claimed`,
)

export async function claimKey(tx: Tx, owner: KeyOwner, fingerprint: Buffer, now: WallTime): Promise<boolean> {
  const values = [owner.caller, owner.operation, owner.key, fingerprint, at(now), at(now - KEPT_MS)]
  return (await tx.maybeOne(CLAIM, values))?.claimed ?? false
}

export type Kept = { readonly fingerprint: Buffer; readonly answer: Buffer | null }

const FIND = statement<Kept>(
  'idempotency.find',
  'select fingerprint, answer from idempotency_keys where caller = $1 and operation = $2 and key = $3',
)

export async function findKept(tx: Tx, owner: KeyOwner): Promise<Kept> {
  return tx.one(FIND, [owner.caller, owner.operation, owner.key])
}

const KEEP = statement(
  'idempotency.keep',
  'update idempotency_keys set answer = $4 where caller = $1 and operation = $2 and key = $3',
)

export async function keepAnswer(tx: Tx, owner: KeyOwner, answer: Buffer): Promise<void> {
  const written = await tx.run(KEEP, [owner.caller, owner.operation, owner.key, answer])
  if (written !== 1) throw new Error('an idempotency key vanished while its request was running')
}

const PURGE = statement(
  'idempotency.purge',
  `delete from idempotency_keys where (caller, operation, key) in (
     select caller, operation, key from idempotency_keys
      where created_at <= clock_timestamp() - interval '24 hours' order by created_at limit $1
      for update skip locked)`,
)

/** Deletes up to `limit` expired keys of this world; fewer than `limit` means that none are left for now. */
export async function purgeExpired(tx: Tx, limit: number): Promise<number> {
  return tx.run(PURGE, [limit])
}

function at(ms: number): string {
  return new Date(ms).toISOString()
}

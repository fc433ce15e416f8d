import type { Id } from '#kernel/ids.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

const INSERT = platformStatement(
  'accounts.insert_device',
  `insert into platform.sign_in_devices (hash, account_id, expires_at)
   values ($1, $2, clock_timestamp() + make_interval(days => $3))`,
)

export type NewDevice = { readonly hash: Buffer; readonly account: Id<'account'>; readonly days: number }

export async function insertDevice(tx: PlatformTx, { hash, account, days }: NewDevice): Promise<void> {
  await tx.run(INSERT, [hash, account, days])
}

/** Counts the attempt as a failure before the password is verified, so that parallel attempts cannot exceed the maximum. */
const COUNT_FAILURE = platformStatement<{ failures: number }>(
  'accounts.count_device_failure',
  `update platform.sign_in_devices set failures = failures + 1
    where hash = $1 and account_id = $2 and failures < $3 and expires_at > clock_timestamp()
   returning failures`,
)

/** False for a device that is unknown, expired, of another account, or has used up its failures. */
export async function countDeviceFailure(
  db: PlatformDatabase,
  {
    hash,
    account,
    failuresMax,
  }: { readonly hash: Buffer; readonly account: Id<'account'>; readonly failuresMax: number },
): Promise<boolean> {
  return (await db.reads.maybeOne(COUNT_FAILURE, [hash, account, failuresMax])) !== null
}

const DELETE = platformStatement('accounts.delete_device', 'delete from platform.sign_in_devices where hash = $1')

export async function deleteDevice(tx: PlatformTx, hash: Buffer): Promise<void> {
  await tx.run(DELETE, [hash])
}

const DELETE_OLDEST = platformStatement(
  'accounts.delete_oldest_devices',
  `delete from platform.sign_in_devices where hash in (
     select hash from platform.sign_in_devices where account_id = $1 order by created_at desc, hash offset $2)`,
)

export async function deleteOldestDevices(tx: PlatformTx, account: Id<'account'>, kept: number): Promise<void> {
  await tx.run(DELETE_OLDEST, [account, kept])
}

const DELETE_ALL = platformStatement(
  'accounts.delete_devices',
  'delete from platform.sign_in_devices where account_id = $1',
)

export async function deleteDevicesOf(tx: PlatformTx, account: Id<'account'>): Promise<number> {
  return tx.run(DELETE_ALL, [account])
}

const PURGE = platformStatement(
  'accounts.purge_devices',
  `delete from platform.sign_in_devices where hash in (
     select hash from platform.sign_in_devices
      where expires_at <= clock_timestamp() order by expires_at limit $1
      for update skip locked)`,
)

export async function purgeDevices(tx: PlatformTx, limit: number): Promise<number> {
  return tx.run(PURGE, [limit])
}

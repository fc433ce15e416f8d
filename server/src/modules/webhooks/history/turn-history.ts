import type { World } from '#kernel/world.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { deleteStrays, turnPartitions } from './store.ts'

/** "History is kept 30 days", of its world's time. */
export const HISTORY_DAYS = 30

/** Makes the partitions of the coming weeks and drops those that are too old, whole. */
export async function turnHistory(tx: PlatformTx, world: World): Promise<number> {
  return turnPartitions(tx, world, HISTORY_DAYS)
}

/** What lies outside of the weekly partitions, because the sandbox's clock jumped, is deleted by age. */
export async function purgeStrays(tx: Tx, limit: number): Promise<number> {
  return deleteStrays(tx, HISTORY_DAYS, limit)
}

import type { Tx } from '#system/postgres/database.ts'
import { dropOldBatches, dropOldDepartures } from './retention-store.ts'

/** Drops at most `limit` rows that only cursors past retention could need, and says how many. Heads stay for ever. */
export async function purgeLedger(tx: Tx, limit: number): Promise<number> {
  const batches = await dropOldBatches(tx, limit)
  return batches + (await dropOldDepartures(tx, limit - batches))
}

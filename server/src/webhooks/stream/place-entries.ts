import { eventHorizon } from '#events/index.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { deleteEntries, entriesWait, lockStream, placeEntries } from './queue-store.ts'

const BATCH = 500

/**
 * Gives positions to the entries that fan-out listed. One worker runs this at a time, under the lock of one row; the
 * others skip it. So the order of positions is the order of commits, and a reader that has seen a position has seen all
 * before it. Returns whether there may be more.
 */
export async function placeRound(db: WorldDatabase, batch = BATCH): Promise<boolean> {
  if (!(await entriesWait(db.reads))) return false
  return db.transaction(async (tx) => {
    const last = await lockStream(tx)
    return last !== null && (await placeEntries(tx, last, batch)) === batch
  })
}

/** Deletes entries whose events are deleted because of their age. A cursor at one of them is then too old. */
export async function purgeEntries(tx: Tx, limit: number): Promise<number> {
  return deleteEntries(tx, await eventHorizon(tx), limit)
}

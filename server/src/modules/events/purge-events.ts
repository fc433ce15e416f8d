import type { Tx } from '#system/postgres/database.ts'
import { deleteEvents, findHorizon } from './store.ts'

/** "What is undelivered is kept as long as its event (90 days)", of the world's time, as all retention. */
export const EVENT_DAYS = 90

/** The real time before which what was recorded is older than that. */
export async function eventHorizon(tx: Tx): Promise<string> {
  return findHorizon(tx, EVENT_DAYS)
}

/** Deletes at most `limit` events that are too old, the oldest first, and says how many. */
export async function purgeEvents(tx: Tx, limit: number): Promise<number> {
  return deleteEvents(tx, await eventHorizon(tx), limit)
}

import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** A cursor is refused after 90 days; what only an older one could need goes a day later. World time. */
const OLD = `world_now() - interval '91 days'`

/** The newest of the old ones stays: where the ledger stood before a time is asked for after a quiet season too. */
const DROP_BATCHES = statement(
  'ledger.drop_batches',
  `delete from ledger_batches where last_position in (
     select last_position from ledger_batches
      where published_at < (select max(published_at) from ledger_batches where published_at < ${OLD})
      order by published_at limit $1)`,
)

/** An investor's stay: by them alone an offering that their record left is known to them, however long ago that was. */
const DROP_DEPARTURES = statement(
  'ledger.drop_departures',
  `delete from ledger_departures where not own and (offering_id, investment_id) in (
     select offering_id, investment_id from ledger_departures
      where not own and observed_at < ${OLD} order by observed_at limit $1)`,
)

/** How many rows were dropped; `limit` when there may be more. */
export async function dropOldBatches(tx: Tx, limit: number): Promise<number> {
  return tx.run(DROP_BATCHES, [limit])
}

export async function dropOldDepartures(tx: Tx, limit: number): Promise<number> {
  return tx.run(DROP_DEPARTURES, [limit])
}

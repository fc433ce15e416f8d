import type { WorldTime } from '#kernel/clock.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Derivation } from '../derive/record.ts'
import {
  advanceLedger,
  dropOldBatches,
  dropOldDepartures,
  insertEpoch,
  type LedgerRow,
  lockLedger,
  lookAtLedger,
} from './ledger-store.ts'

/** The ledger while a transaction publishes: its state, which is written back at the end. */
export type LockedLedger = {
  readonly position: number
  readonly epoch: number
  readonly derivation_version: number
  readonly republish_after: string | null
  readonly server: string
  readonly now: WorldTime
}

/**
 * Returns null if another process publishes, or if a process with a newer derivation published within the last minute.
 */
export async function lockToPublish(tx: Tx, derivation: Derivation): Promise<LockedLedger | null> {
  if (!(await lockLedger(tx))) return null
  const row = await lookAtLedger(tx)
  if (mustYield(row, derivation)) return null
  const { position, server, now } = row
  const epoch = isOtherServer(row) ? await insertEpoch(tx, position) : row.epoch
  return { position, epoch, server, now, ...derivationOf(row, derivation) }
}

/**
 * During a rollout the derivation only goes forward: a publisher with an older derivation leaves the work to a
 * publisher with a newer one. If no publisher has worked for a minute, the release was rolled back, and the publisher
 * with the older derivation takes over.
 */
function mustYield({ derivation_version, attended }: LedgerRow, { version }: Derivation): boolean {
  return derivation_version > version && attended
}

/**
 * After a failover or a restore, the last changes that the old server published may be lost, and their positions may be
 * assigned again. So a new epoch starts.
 */
function isOtherServer({ server_identity, server }: LedgerRow): boolean {
  return server_identity !== '' && server_identity !== server
}

/** If the version differs, all records that were published so far are derived again, from the first id on. */
function derivationOf({ derivation_version, republish_after, position }: LedgerRow, { version }: Derivation) {
  if (derivation_version === version) return { derivation_version, republish_after }
  return { derivation_version: version, republish_after: position === 0 ? null : '' }
}

/**
 * For an operator who has restored a copy of the disks. PostgreSQL then has the same identity as before, so publishing
 * does not detect the restore, and assigns positions again that readers have stored for lost records. (If PostgreSQL
 * runs on another server, publishing detects that.)
 *
 * Readers continue from `position`, or from their own position if that is lower. `position` must be the end of the
 * ledger at the time of the copy, or an earlier position: workers may have published since the restore, under positions
 * that readers stored for lost records. Without a position every reader reads everything again.
 */
export async function startEpoch(tx: Tx, position = 0): Promise<{ readonly epoch: number }> {
  if (!(await lockLedger(tx))) {
    throw new ApiError('unavailable', { public: 'Another process is publishing. Stop the workers and try again.' })
  }
  const ledger = await lookAtLedger(tx)
  if (position > ledger.position) {
    throw new ApiError('invalid_request', {
      public: `The ledger is at ${ledger.position}: it was never at ${position} on these disks.`,
    })
  }
  const epoch = await insertEpoch(tx, position)
  await advanceLedger(tx, { ...ledger, epoch })
  return { epoch }
}

/** Drops at most `limit` rows that only cursors past retention could need, and returns their number. Heads are never dropped. */
export async function purgeLedger(tx: Tx, limit: number): Promise<number> {
  const batches = await dropOldBatches(tx, limit)
  return batches + (await dropOldDepartures(tx, limit - batches))
}

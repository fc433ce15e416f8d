import type { WorldTime } from '#kernel/clock.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Derivation } from '../derive/record.ts'
import { insertEpoch, type LedgerRow, lockLedger, lookAtLedger } from './ledger-store.ts'

/** The ledger while a transaction publishes: where it stands, and what is written back in the end. */
export type HeldLedger = {
  readonly position: number
  readonly epoch: number
  readonly derivation_version: number
  readonly republish_after: string | null
  readonly server: string
  readonly now: WorldTime
}

/** Null when it is not ours to publish now: somebody else does, or somebody whose derivation is newer. */
export async function holdLedger(tx: Tx, derivation: Derivation): Promise<HeldLedger | null> {
  if (!(await lockLedger(tx))) return null
  const row = await lookAtLedger(tx)
  if (mustYield(row, derivation)) return null
  const { position, server, now } = row
  const epoch = isOtherServer(row) ? await insertEpoch(tx, position) : row.epoch
  return { position, epoch, server, now, ...derivationOf(row, derivation) }
}

/**
 * While a release is rolled out, the derivation only goes forward: an older publisher leaves the work to a newer one.
 * Where no newer one has been seen for a minute the release was taken back, and the older one takes over.
 */
function mustYield({ derivation_version, attended }: LedgerRow, { version }: Derivation): boolean {
  return derivation_version > version && attended
}

/** Positions may now be given that were given before, by a server whose last moments are lost. */
function isOtherServer({ server_identity, server }: LedgerRow): boolean {
  return server_identity !== '' && server_identity !== server
}

/** Another derivation than the last one goes through everything published so far, from the beginning. */
function derivationOf({ derivation_version, republish_after, position }: LedgerRow, { version }: Derivation) {
  if (derivation_version === version) return { derivation_version, republish_after }
  return { derivation_version: version, republish_after: position === 0 ? null : '' }
}

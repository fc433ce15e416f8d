import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import type { Derivation } from '../derive/record.ts'
import { placeAccessChanges } from './access-store.ts'
import type { Share } from './changes-store.ts'
import { holdLedger } from './hold-ledger.ts'
import { advanceLedger } from './ledger-store.ts'
import { publishRecords, within } from './publish-records.ts'
import { takeWork } from './take-work.ts'

export type Batch = {
  readonly derivation: Derivation
  readonly limit: number
  /** See `publishRecords`. */
  readonly beside?: WorldDatabase['beside']
}
type Work = Share & Omit<Batch, 'limit'>

/**
 * Takes from the to-do list, derives, and publishes what differs: one transaction, under the ledger's lock from its
 * first statement to its commit. So positions are given in the order in which they can be seen, and no reader who has
 * got past one ever misses it. Says how many rows it took; null when it was not ours to publish.
 */
export async function publishChanges(tx: Tx, { derivation, beside = within, ...share }: Work): Promise<number | null> {
  const ledger = await holdLedger(tx, derivation)
  if (ledger === null) return null
  const { taken, investments, access } = await takeWork(tx, share)
  const position = await publishRecords(tx, { ledger, derivation, investments, cause: 'facts', beside })
  await placeAccessChanges(tx, access, position + 1)
  await advanceLedger(tx, { ...ledger, position: position + access.length })
  return taken
}

import type { Tx } from '#system/postgres/database.ts'
import { nextInvestments } from './heads-store.ts'
import { holdLedger } from './hold-ledger.ts'
import { advanceLedger } from './ledger-store.ts'
import type { Batch } from './publish-changes.ts'
import { publishRecords } from './publish-records.ts'

/**
 * Goes through what was published by an older derivation, a batch at a time, and publishes what now reads otherwise:
 * "when the derivation's version rises, only records whose published form differs are republished, with reason
 * `recomputed`". True while there is more.
 */
export async function republish(tx: Tx, { derivation, limit }: Batch): Promise<boolean> {
  const ledger = await holdLedger(tx, derivation)
  if (ledger === null) return false
  const after = ledger.republish_after
  const investments = after === null ? [] : await nextInvestments(tx, after, limit)
  const position = await publishRecords(tx, { ledger, derivation, investments, cause: 'derivation' })
  const reached = investments.length < limit ? null : (investments.at(-1) ?? null)
  await advanceLedger(tx, { ...ledger, position, republish_after: reached })
  return reached !== null
}

import type { Tx } from '#system/postgres/database.ts'
import { putBackChanges } from './changes-store.ts'
import { nextInvestments } from './heads-store.ts'
import { type HeldLedger, holdLedger } from './hold-ledger.ts'
import { advanceLedger } from './ledger-store.ts'
import type { Batch } from './publish-changes.ts'
import { publishRecords, within } from './publish-records.ts'

/**
 * Goes through what was published by an older derivation, a batch at a time, and publishes what now reads otherwise:
 * "when the derivation's version rises, only records whose published form differs are republished, with reason
 * `recomputed`". True while there is more.
 */
export async function republish(tx: Tx, { derivation, limit }: Batch): Promise<boolean> {
  const ledger = await holdLedger(tx, derivation)
  if (ledger === null) return false
  const { investments, reached } = await nextBatch(tx, ledger, limit)
  const position = await publishRecords(tx, { ledger, derivation, investments, cause: 'derivation', beside: within })
  await advanceLedger(tx, { ...ledger, position, republish_after: reached })
  return reached !== null
}

/** Gets past what cannot be published: it is looked at again as something that changed. */
export async function leaveToChanges(tx: Tx, { derivation, limit }: Batch): Promise<boolean> {
  const ledger = await holdLedger(tx, derivation)
  if (ledger === null) return false
  const { investments, reached } = await nextBatch(tx, ledger, limit)
  await putBackChanges(
    tx,
    investments.map((id) => ({ kind: 'investment', id, after: '', company: null })),
  )
  await advanceLedger(tx, { ...ledger, republish_after: reached })
  return reached !== null
}

/** What comes next, and where that ends; null when it is all there was. */
async function nextBatch(tx: Tx, { republish_after: after }: HeldLedger, limit: number) {
  const investments = after === null ? [] : await nextInvestments(tx, after, limit)
  return { investments, reached: investments.length < limit ? null : (investments.at(-1) ?? null) }
}

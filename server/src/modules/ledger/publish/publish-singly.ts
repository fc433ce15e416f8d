import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { findConcerned, putBackChanges, takeChanges } from './changes-store.ts'
import { holdLedger } from './hold-ledger.ts'
import { type Batch, publishChanges } from './publish-changes.ts'
import { findSingles, type Single, setAside } from './set-aside-store.ts'

/** After so many failures the rest waits for the next round: what fails everywhere is no matter of one row. */
const FAILURES_MAX = 10

/**
 * For a batch that could not be published: each row of it by itself, in a transaction of its own. What fails alone is set
 * aside, stays on the list and is tried again from time to time; it holds up nothing but itself. Ends with an error that
 * names it, so that the failure is logged and counted.
 */
export async function publishSingly(db: WorldDatabase, which: 'first' | 'due', batch: Batch): Promise<void> {
  const failures: { readonly single: Single; readonly error: unknown }[] = []
  for (const single of await findSingles(db.reads, which, batch.limit)) {
    const error = await failureOf(db, single, batch)
    if (error === null) continue
    await db.transaction((tx) => setAside(tx, single.seq))
    if (failures.push({ single, error }) === FAILURES_MAX) break
  }
  if (failures.length === 0) return
  const names = failures.map(({ single }) => `${single.kind} ${single.id}`).join(', ')
  throw new Error(`could not be published and was set aside: ${names}`, { cause: failures[0]?.error })
}

async function failureOf(db: WorldDatabase, { seq, kind }: Single, batch: Batch): Promise<unknown> {
  const isOne = kind === 'investment' || kind === 'access'
  try {
    await (isOne
      ? db.transaction((tx) => publishChanges(tx, { ...batch, only: seq }))
      : db.transaction((tx) => spread(tx, seq, batch)))
    return null
  } catch (error) {
    if (!isOfTheRow(error)) throw error
    return error
  }
}

/** A database that is not there, or has too much to do, says nothing about a row. */
export function isOfTheRow(error: unknown): boolean {
  return !(error instanceof DatabaseUnavailable)
}

/** What concerns many becomes a row for each of the next of them, and what is left goes on behind them. */
async function spread(tx: Tx, seq: string, { derivation, limit }: Batch): Promise<void> {
  if ((await holdLedger(tx, derivation)) === null) return
  const [wide] = await takeChanges(tx, { limit, only: seq })
  if (wide === undefined) return
  const [ids = []] = await findConcerned(tx, [wide], limit)
  const each = ids.map((id) => ({ kind: 'investment' as const, id, after: '', company: null }))
  const rest = ids.length < limit ? [] : [{ ...wide, after: ids.at(-1) ?? '' }]
  await putBackChanges(tx, [...each, ...rest])
}

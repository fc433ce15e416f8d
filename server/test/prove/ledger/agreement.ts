import type { TestDatabase } from '#test/database.ts'
import type { Findings } from './findings.ts'
import type { Bookmark, Reader } from './reader.ts'
import {
  difference,
  differencesBetween,
  type RecordCopy,
  readTruth,
  summaryOfFacts,
  summaryOfHeld,
  takeSnapshot,
  visibleRecord,
} from './reference-model.ts'

type Around = {
  readonly db: TestDatabase
  readonly findings: Findings
  /** The derivation with which every state was published. */
  readonly version: number
}

/**
 * Compares while there are no writes and everything is published. The reader's copy must equal the published state, a
 * new listing, the facts, and the copies of readers that continue from earlier moments.
 */
export async function compare(
  around: Around,
  { reader, marks }: { reader: Reader; marks: readonly Bookmark[] },
): Promise<void> {
  const { db, findings } = around
  const addFindings = (where: string, wrong: readonly string[]) => {
    for (const each of wrong) findings.add('differs', `${reader.name} ${where}: ${each}`)
  }
  await toTheEnd(reader)
  const now = await takeSnapshot(db, reader.view)
  addFindings('compared with the published state', differencesBetween(now, now, reader))
  const fresh = reader.fresh()
  await toTheEnd(fresh)
  addFindings('compared with a new listing', differencesOf(reader.held, fresh.held))
  for (const mark of marks) {
    const again = reader.from(mark)
    await toTheEnd(again)
    addFindings(`from ${JSON.stringify(mark.query)}`, differencesOf(again.held, fresh.held))
  }
  if (findings.all.length === 0) await compareWithFacts(around, fresh, now.edits)
}

/** Reads to the end. If the reader has to list again, one new listing is enough, because nothing changes any more. */
async function toTheEnd(reader: Reader): Promise<void> {
  if (!(await reader.catchUp())) await reader.catchUp()
}

async function compareWithFacts(
  { db, findings, version }: Around,
  reader: Reader,
  edits: ReadonlySet<string>,
): Promise<void> {
  const { view, held, name } = reader
  for (const fact of await readTruth(db)) {
    const shown = visibleRecord(view, edits, fact)
    const expected = shown === null ? undefined : summaryOfFacts(fact, shown, version)
    const has = held.get(fact.id)
    const wrong = difference(fact.id, expected, has === undefined ? undefined : summaryOfHeld(has))
    for (const each of wrong) findings.add('unpublished', `${name}: ${each}`)
  }
}

function differencesOf(held: RecordCopy, expected: RecordCopy): string[] {
  const ids = new Set([...held.keys(), ...expected.keys()])
  return [...ids].flatMap((id) => difference(id, expected.get(id), held.get(id)))
}

/**
 * Checks the sync rows after only the names of these investors changed. A reader of identities must get a row for every
 * visible investment of a renamed investor. For other readers, "a change that only identity readers can see is no sync
 * row".
 */
export async function compareAfterRenaming(
  { db, findings }: Around,
  reader: Reader,
  renamed: ReadonlySet<string>,
): Promise<void> {
  reader.takeRows()
  const isThrough = await reader.catchUp()
  const rows = reader.takeRows()
  if (!isThrough) return
  const { heads, edits } = await takeSnapshot(db, reader.view)
  for (const head of heads.values()) {
    const expected = renamed.has(head.investor) && visibleRecord(reader.view, edits, head) === 'whole'
    if (rows.has(head.id) === expected) continue
    const kind = expected ? 'differs' : 'noise'
    findings.add(kind, `${reader.name} ${expected ? 'got no row' : 'got a row'} for a new name: ${head.id}`)
  }
}

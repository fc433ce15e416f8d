import type { TestDatabase } from '#test/database.ts'
import type { Findings } from './findings.ts'
import type { Bookmark, Reader } from './reader.ts'
import {
  difference,
  differencesBetween,
  type Holding,
  lookAt,
  readTruth,
  shownTo,
  summaryOfFacts,
  summaryOfHeld,
} from './reference-model.ts'

type Around = {
  readonly db: TestDatabase
  readonly findings: Findings
  /** The derivation of every published state. */
  readonly version: number
}

/**
 * While there are no writes and everything is published: the reader must have the published state, the same as a new listing,
 * the same as the facts, and the same as if it had continued from any earlier moment.
 */
export async function compare(
  around: Around,
  { reader, marks }: { reader: Reader; marks: readonly Bookmark[] },
): Promise<void> {
  const { db, findings } = around
  const tell = (where: string, wrong: readonly string[]) => {
    for (const each of wrong) findings.add('differs', `${reader.name} ${where}: ${each}`)
  }
  await toTheEnd(reader)
  const now = await lookAt(db, reader.view)
  tell('against what is published', differencesBetween(now, now, reader))
  const fresh = reader.fresh()
  await toTheEnd(fresh)
  tell('against a new listing', differencesOf(reader.held, fresh.held))
  for (const mark of marks) {
    const again = reader.from(mark)
    await toTheEnd(again)
    tell(`from ${JSON.stringify(mark.query)}`, differencesOf(again.held, fresh.held))
  }
  if (findings.all.length === 0) await compareWithFacts(around, fresh, now.edits)
}

/** Reads to the end. A reader that has to list again has everything after that, because nothing changes any more. */
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
    const shown = shownTo(view, edits, fact)
    const expected = shown === null ? undefined : summaryOfFacts(fact, shown, version)
    const has = held.get(fact.id)
    const wrong = difference(fact.id, expected, has === undefined ? undefined : summaryOfHeld(has))
    for (const each of wrong) findings.add('unpublished', `${name}: ${each}`)
  }
}

function differencesOf(held: Holding, expected: Holding): string[] {
  const ids = new Set([...held.keys(), ...expected.keys()])
  return [...ids].flatMap((id) => difference(id, expected.get(id), held.get(id)))
}

/**
 * After only the names of these investors changed: "a change that only identity readers can see is no sync row" for the others. For
 * identity readers it must be a row.
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
  const { heads, edits } = await lookAt(db, reader.view)
  for (const head of heads.values()) {
    const expected = renamed.has(head.investor) && shownTo(reader.view, edits, head) === 'whole'
    if (rows.has(head.id) === expected) continue
    const kind = expected ? 'differs' : 'noise'
    findings.add(kind, `${reader.name} ${expected ? 'got no row' : 'got a row'} for a new name: ${head.id}`)
  }
}

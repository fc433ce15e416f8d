import { pace } from '#system/pace.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { applyFact, type FactOutcome, type FactRules } from './apply-fact.ts'
import type { FactFile, FactLine, RefusedLines } from './fact-file.ts'
import { invalidFact, type Refusal } from './fact-type.ts'
import { beginImport, type ImportProgress, saveImport } from './store.ts'

export type ImportReport = {
  /** Lines done by earlier runs. */
  readonly continuedAfter: number
  readonly applied: number
  readonly duplicate: number
  /** Including earlier runs. */
  readonly refused: number
  readonly linesDone: number
  /** False if the import was aborted before the end. */
  readonly finished: boolean
}

export type Import = {
  readonly db: WorldDatabase
  readonly rules: FactRules
  readonly file: FactFile
  readonly name: string
  /** Called once the progress of earlier runs is loaded. */
  readonly refusedLines: (linesDone: number) => Promise<RefusedLines>
  readonly onProgress: (progress: ImportProgress) => void
  readonly signal: AbortSignal
}

/** A killed import repeats at most this many lines, which are then reported as duplicates. */
const LINES_PER_SAVE = 500

/** Applies the lines of a file in order, with the same code as the feed. */
export async function importFacts(work: Import): Promise<ImportReport> {
  const { db, file, name } = work
  const begun = await db.transaction((tx) => beginImport(tx, file.fingerprint, name))
  const refusedLines = await work.refusedLines(begun.linesDone)
  try {
    return await importLines(work, begun, refusedLines)
  } finally {
    await refusedLines.close()
  }
}

async function importLines(work: Import, begun: ImportProgress, refusedLines: RefusedLines): Promise<ImportReport> {
  const { db, file, signal } = work
  const counts = { applied: 0, duplicate: 0, refused: begun.refused }
  let at = begun
  let saved = begun
  const turn = pace()
  const save = async (finished: boolean) => {
    await refusedLines.flush()
    await db.transaction((tx) => saveImport(tx, file.fingerprint, at, finished))
    saved = at
  }
  for await (const line of file.lines(begun)) {
    const outcome = await applyLine(work, line)
    counts[outcome.status]++
    if (outcome.status === 'refused') await refusedLines.add(line, outcome.error)
    at = { linesDone: line.number, bytesDone: line.endByte, refused: counts.refused }
    if (at.linesDone - saved.linesDone >= LINES_PER_SAVE) await save(false)
    work.onProgress(at)
    if (signal.aborted) break
    await turn()
  }
  await save(!signal.aborted)
  return { continuedAfter: begun.linesDone, ...counts, linesDone: at.linesDone, finished: !signal.aborted }
}

async function applyLine({ db, rules }: Import, { text }: FactLine): Promise<FactOutcome> {
  if (text === null) return refusedLine('too_long', 'is longer than 1 MiB or not UTF-8')
  let sent: unknown
  try {
    sent = JSON.parse(text)
  } catch {
    return refusedLine('not_json', 'is not JSON')
  }
  return applyFact(db, rules, sent)
}

function refusedLine(code: string, message: string): FactOutcome {
  const error: Refusal = invalidFact([{ field: 'fact', code, message }]).refusal
  return { id: null, status: 'refused', events: [], error }
}

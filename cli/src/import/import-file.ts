import { readFile, rm } from 'node:fs/promises'
import type { Api, Client } from '@portico/sdk'
import { Failure } from '../failure.ts'
import { isFileError, replaceFile } from '../files.ts'
import { type FactFile, type FactLine, LINE_BYTES_MAX, openRefusedLines, type RefusedLines } from './fact-file.ts'

/** The progress of an import. It is stored after each batch, so that the next run continues after that batch. */
export type ImportProgress = {
  readonly lines: number
  readonly bytes: number
  readonly applied: number
  readonly duplicate: number
  readonly refused: number
}

export type ImportResult = ImportProgress & {
  /** The last line that an earlier run sent, or 0. */
  readonly continuedAfter: number
  /** False if the import was stopped before the end of the file. */
  readonly finished: boolean
}

const NOTHING: ImportProgress = { lines: 0, bytes: 0, applied: 0, duplicate: 0, refused: 0 }

/** The file and the service of an import. An import of another file, or to another service, begins at line 1. */
export type ImportTarget = { readonly service: string; readonly fingerprint: string }

/** The file in which an import stores its progress. */
export class ProgressFile {
  readonly #path: string
  readonly #target: ImportTarget

  constructor(path: string, target: ImportTarget) {
    this.#path = path
    this.#target = target
  }

  async load(): Promise<ImportProgress> {
    const text = await readFile(this.#path, 'utf8').catch((error: unknown) => {
      if (isFileError(error, 'ENOENT')) return null
      throw error
    })
    if (text === null) return NOTHING
    const { service, fingerprint, ...progress } = this.#read(text)
    const isSame = service === this.#target.service && fingerprint === this.#target.fingerprint
    return isSame ? progress : NOTHING
  }

  #read(text: string): ImportTarget & ImportProgress {
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw new Failure(`The progress file ${this.#path} is damaged, so the place in the file of facts is not known.`, {
        remedy: `Delete ${this.#path}: the import then begins at line 1, and no fact is applied twice.`,
        cause,
      })
    }
  }

  save(progress: ImportProgress): Promise<void> {
    return replaceFile(this.#path, `${JSON.stringify({ ...this.#target, ...progress }, null, 2)}\n`)
  }

  /** After this, the next import of the file begins at line 1. */
  remove(): Promise<void> {
    return rm(this.#path, { force: true })
  }
}

export type Importing = {
  readonly client: Client
  readonly file: FactFile
  readonly progressFile: ProgressFile
  readonly refusedPath: string
  readonly signal: AbortSignal
  readonly onProgress: (progress: ImportProgress) => void
}

/**
 * Sends the facts of a file in order, one batch at a time. The service applies each fact once by its id, and the
 * progress is stored after each batch. So after a kill the next run sends at most one batch again, which the service
 * may have applied already.
 */
export async function importFile(importing: Importing): Promise<ImportResult> {
  const { client, file, progressFile, signal, onProgress } = importing
  const storedProgress = await progressFile.load()
  let progress = storedProgress
  const result = (finished: boolean) => ({ ...progress, continuedAfter: storedProgress.lines, finished })
  const refusedLines = await openRefusedLines(importing.refusedPath, storedProgress.lines)
  try {
    for await (const batch of batchesOf(
      file.lines({ linesDone: storedProgress.lines, bytesDone: storedProgress.bytes }),
    )) {
      if (signal.aborted) return result(false)
      const outcomes = await send(client, batch, signal)
      progress = await recordOutcomes({ progress, batch, outcomes, refusedLines })
      await progressFile.save(progress)
      onProgress(progress)
    }
  } catch (error) {
    if (signal.aborted) return result(false)
    throw error
  } finally {
    await refusedLines.close()
  }
  await progressFile.remove()
  return result(true)
}

/** A line with its fact, or with the reason why it is not a fact. */
type Entry = FactLine & ({ readonly fact: Api.Fact; readonly bytes: number } | { readonly error: Api.FactError })

/**
 * The feed accepts 1,000 facts and 8 MiB per request. A batch is about half as large, so that the response comes
 * sooner and fewer facts are sent again after a kill.
 */
const BATCH_LINES = 500
const BATCH_BYTES = 4 * 1_048_576

async function* batchesOf(lines: AsyncIterable<FactLine>): AsyncGenerator<readonly Entry[]> {
  let batch: Entry[] = []
  let bytes = 0
  for await (const line of lines) {
    const entry = entryOf(line)
    batch.push(entry)
    if ('fact' in entry) bytes += entry.bytes
    if (batch.length < BATCH_LINES && bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

function entryOf(line: FactLine): Entry {
  if (line.text === null) return { ...line, error: invalid('too_long', 'is longer than 1 MiB or not UTF-8') }
  try {
    const fact: Api.Fact = JSON.parse(line.text)
    // The fact is serialized here as it will be sent. A value that is nested too deeply for that is treated as invalid JSON.
    const bytes = Buffer.byteLength(JSON.stringify(fact))
    if (bytes <= LINE_BYTES_MAX) return { ...line, fact, bytes }
    return { ...line, error: invalid('too_long', 'is longer than 1 MiB') }
  } catch {
    return { ...line, error: invalid('not_json', 'is not JSON') }
  }
}

function invalid(code: string, what: string): Api.FactError {
  return { type: 'invalid_fact', field: 'fact', code, message: `The line ${what}.` }
}

type Outcome = Pick<Api.FactOutcome, 'status' | 'error'>

/** Sends a batch and returns one outcome for each line, in order. */
async function send(client: Client, batch: readonly Entry[], signal: AbortSignal): Promise<readonly Outcome[]> {
  const facts = batch.flatMap((entry) => ('fact' in entry ? [entry.fact] : []))
  const data = facts.length === 0 ? [] : (await client.post('/platform/facts', { body: facts, signal })).data
  const remainingOutcomes = data.values()
  return batch.map((entry) => {
    if ('error' in entry) return { status: 'refused', error: entry.error }
    const outcome = remainingOutcomes.next().value
    if (outcome === undefined)
      throw new Error(`The service returned ${data.length} outcomes for ${facts.length} facts.`)
    return outcome
  })
}

type BatchResult = {
  readonly progress: ImportProgress
  readonly batch: readonly Entry[]
  readonly outcomes: readonly Outcome[]
  readonly refusedLines: RefusedLines
}

/** Records the refused lines, and returns the new progress. */
async function recordOutcomes({ progress, batch, outcomes, refusedLines }: BatchResult): Promise<ImportProgress> {
  const counts = { applied: progress.applied, duplicate: progress.duplicate, refused: progress.refused }
  for (const [at, { status, error }] of outcomes.entries()) {
    counts[status] += 1
    const line = batch[at]
    if (status === 'refused' && line !== undefined) await refusedLines.add(line, error ?? null)
  }
  await refusedLines.flush()
  const last = batch.at(-1)
  return { ...counts, lines: last?.number ?? progress.lines, bytes: last?.endByte ?? progress.bytes }
}

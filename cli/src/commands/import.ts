import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Command, command } from '../command.ts'
import { EXIT, type ExitCode, Failure, usageFailure } from '../failure.ts'
import { lockFile } from '../files.ts'
import { type FactFile, openFactFile, type RefusedReason, reasonsOf } from '../import/fact-file.ts'
import { type ImportProgress, type ImportResult, importFile, ProgressFile } from '../import/import-file.ts'
import { type Column, count, type Printer, Progress } from '../printer.ts'

const importCommand = command({
  name: 'import',
  summary: 'send a file of facts to the platform feed (operator’s key)',
  usage: 'FILE [--mode live]',
  about: `Sends the facts of a file, one JSON object a line, to the platform feed (docs/platform-feed.md). The service applies each fact once by its
id, so you can import a file again.

The place in the file is stored in FILE.MODE.progress.json. If the command is stopped or killed, the same command continues at that
place. Refused lines are written to FILE.MODE.refused.ndjson with their reasons, and the import continues.

Exit code ${EXIT.ok}: every fact is applied; ${EXIT.failed}: some lines were refused; ${EXIT.interrupted}: stopped with Ctrl-C before the end.`,
  options: {},
  examples: [
    'portico import history.ndjson',
    'portico import history.ndjson --mode live',
    'portico import history.ndjson --json',
  ],
  words: { min: 1, max: 1 },
  onStop: 'finishes',
  run: async ({ words: [fileName = ''], printer, directory, signal, connect }) => {
    const path = resolve(directory, fileName)
    await using file = await openOrFail(fileName, path)
    const connection = await connect()
    const { baseUrl: service, mode } = connection
    const client = connection.forImport()
    const siblingPath = (ending: string) => `${path}.${mode}.${ending}`
    const lock = siblingPath('lock')
    await lockFile(lock, (pid) => alreadyRunning(fileName, mode, pid)).catch((error: unknown) => {
      throw error instanceof Failure ? error : cannotWrite(lock, error)
    })
    const startedAt = performance.now()
    try {
      const result = await withProgress(printer, file, (onProgress) =>
        importFile({
          ...{ client, file, signal, onProgress },
          progressFile: new ProgressFile(siblingPath('progress.json'), { service, fingerprint: file.fingerprint }),
          refusedPath: siblingPath('refused.ndjson'),
        }),
      )
      const reasons = result.refused === 0 ? [] : await reasonsOf(siblingPath('refused.ndjson'))
      const seconds = (performance.now() - startedAt) / 1_000
      report(printer, {
        ...result,
        file: fileName,
        mode,
        refusedFile: `${fileName}.${mode}.refused.ndjson`,
        reasons,
        seconds,
      })
      return exitOf(result)
    } finally {
      await rm(lock, { force: true })
    }
  },
})

async function openOrFail(fileName: string, path: string): Promise<FactFile> {
  return openFactFile(path).catch((cause: unknown) => {
    const reason = cause instanceof Error && 'code' in cause ? OPEN_PROBLEMS[String(cause.code)] : undefined
    throw usageFailure(
      `${fileName} cannot be read: ${reason ?? (cause instanceof Error ? cause.message : String(cause))}.`,
      'Name a file with one fact a line.',
    )
  })
}

const OPEN_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EISDIR: 'it is a folder',
}

function alreadyRunning(file: string, mode: string, pid: string): Failure {
  return new Failure(`portico import already sends ${file} to ${mode} (process ${pid}).`, {
    type: 'already_importing',
    remedy: 'Wait for it, or stop it first.',
  })
}

function cannotWrite(path: string, cause: unknown): Failure {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Failure(`${path} cannot be written: ${reason}.`, {
    remedy: 'The place in the file is stored in the same folder: copy the file to a folder that you can write to.',
    cause,
  })
}

/** Shows the progress. If the import fails, it also shows where the next run continues. */
async function withProgress(
  printer: Printer,
  file: FactFile,
  work: (onProgress: (progress: ImportProgress) => void) => Promise<ImportResult>,
): Promise<ImportResult> {
  const progressLine = new Progress(printer)
  const startedAt = performance.now()
  let first: number | undefined
  let last = 0
  try {
    return await work((progress) => {
      first ??= progress.lines
      last = progress.lines
      const perSecond = ((last - first) * 1_000) / (performance.now() - startedAt)
      progressLine.show(() => progressText(progress, file, { perSecond, withBar: printer.remarksOnTerminal }))
    })
  } catch (error) {
    progressLine.end()
    if (last > 0)
      printer.note(`Stopped after line ${last.toLocaleString('en')}. The same command continues from there.`)
    throw error
  } finally {
    progressLine.end()
  }
}

const BAR_CHARS = 24

function progressText(
  { lines, bytes, refused }: ImportProgress,
  file: FactFile,
  { perSecond, withBar }: { readonly perSecond: number; readonly withBar: boolean },
): string {
  const share = Math.min(1, bytes / Math.max(1, file.bytes))
  const filled = Math.round(share * BAR_CHARS)
  const bar = withBar ? `[${'#'.repeat(filled)}${'.'.repeat(BAR_CHARS - filled)}] ` : ''
  const rate = Math.round(perSecond).toLocaleString('en')
  return `${bar}${Math.floor(share * 100)} %  ${count(lines, 'line')}, ${rate} a second, ${refused.toLocaleString('en')} refused`
}

type Report = ImportResult & {
  readonly file: string
  readonly mode: string
  readonly refusedFile: string
  readonly reasons: readonly RefusedReason[]
  readonly seconds: number
}

const REASON_COLUMNS: readonly Column<RefusedReason>[] = [
  { title: 'lines', text: ({ lines }) => lines.toLocaleString('en') },
  { title: 'first', text: ({ first_line }) => `line ${first_line}` },
  { title: 'reason', text: ({ type, code }) => [type, code].filter((part) => part !== null).join(' '), style: 'bold' },
  { title: 'problem', text: ({ message }) => message },
]
const REASONS_SHOWN = 10

function report(printer: Printer, result: Report): void {
  const { file, mode, refusedFile, reasons, seconds, ...counts } = result
  const { lines, applied, duplicate, refused, continuedAfter, finished } = counts
  if (printer.json) {
    const file_of_refused = refused === 0 ? null : refusedFile
    printer.document({
      ...{ file, mode, finished, continued_after: continuedAfter, lines, applied, duplicate, refused },
      ...{ refused_file: file_of_refused, reasons },
    })
    return
  }
  const text = (number: number) => number.toLocaleString('en')
  if (continuedAfter > 0)
    printer.note(`Continued after line ${text(continuedAfter)}, where an earlier run had stopped.`)
  printer.line(
    `${file} into ${mode}: ${text(applied)} applied, ${text(duplicate)} already there, ${text(refused)} refused, in ${seconds.toFixed(1)} s.`,
  )
  if (refused > 0) {
    printer.table(REASON_COLUMNS, reasons.slice(0, REASONS_SHOWN))
    if (reasons.length > REASONS_SHOWN) printer.note(`and ${reasons.length - REASONS_SHOWN} more reasons`)
    printer.note(`The refused lines are in ${refusedFile}, each with its reason.`)
  }
  if (!finished) printer.note(`Stopped after line ${text(lines)}. The same command continues from there.`)
}

function exitOf({ finished, refused }: ImportResult): ExitCode {
  if (!finished) return EXIT.interrupted
  return refused === 0 ? EXIT.ok : EXIT.failed
}

export const importCommands: readonly Command[] = [importCommand]

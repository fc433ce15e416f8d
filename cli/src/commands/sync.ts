import { setTimeout as wait } from 'node:timers/promises'
import { type Client, type InvestmentFilters, type SyncProgress, syncInvestments } from '@portico/sdk'
import { type Command, command } from '../command.ts'
import type { Connection } from '../connection/connection.ts'
import { EXIT, Failure, usageFailure } from '../failure.ts'
import { readWholeNumber } from '../option-values.ts'
import { count, type Printer, Progress } from '../printer.ts'
import {
  compareWithListing,
  type Differences,
  DigestCopy,
  type Digests,
  digestsOf,
  type Reading,
} from '../sync/compare.ts'
import { type Copy, openCopy } from '../sync/copy.ts'

/** Options that choose which investments are read: the installation or the token to read with, and the filters. */
const READER_OPTIONS = {
  installation: { value: 'ID', about: 'read with this installation; needed if the app is installed more than once' },
  token: { value: 'TOKEN', about: 'read with this access token instead of an installation' },
  company: { value: 'ID', about: 'only the investments in this company' },
  offering: { value: 'ID', about: 'only the investments in this offering' },
} as const

type ReaderOptions = { readonly [Name in keyof typeof READER_OPTIONS]: string | undefined }

const TO = { value: 'PLACE', about: 'sqlite:FILE, ndjson:FOLDER or postgres://USER@HOST/DATABASE' } as const
const WATCH_EVERY_MS = 2_000

const sync = command({
  name: 'sync',
  summary: 'keep a copy of investments in SQLite, PostgreSQL or a file',
  usage: '--to PLACE [--installation ID] [--watch]',
  about: `The first run lists all investments, and later runs apply the changes. If the command is stopped or killed, the same command continues after
the last page that was stored. If the cursor is too old (410), it lists all investments again; the copy stays complete meanwhile.

A page has 100 records, and a token has 1,000 requests an hour: a first run over more than 99,900 records waits for the next hour, and prints until when.`,
  options: {
    to: TO,
    ...READER_OPTIONS,
    watch: { about: 'continue, and apply changes every two seconds until Ctrl-C' },
  },
  examples: ['portico sync --to sqlite:investments.db', 'portico sync --to ndjson:copy --company co_0V8Zq3… --watch'],
  onStop: 'finishes',
  run: async ({ values, printer, directory, signal, connect }) => {
    const to = requireTo(values.to)
    const reading = await readingOf(await connect(), values)
    await using copy = await openCopy(to, directory)
    do {
      const result = await bringUpToDate({ ...reading, copy, printer, signal })
      if (result === null) return values.watch ? EXIT.ok : EXIT.interrupted
      if (printer.json) printer.entry({ ...result, to: copy.place })
      else if (!values.watch || result.stored + result.removed > 0) printer.line(summary(result, copy))
    } while (values.watch && (await wait(WATCH_EVERY_MS, true, { signal }).catch(() => false)))
    return EXIT.ok
  },
})

type Run = Reading & { readonly copy: Copy; readonly printer: Printer; readonly signal: AbortSignal }

/** Returns null if the person stopped the command. */
async function bringUpToDate({ copy, printer, signal, ...reading }: Run) {
  const progress = new Progress(printer)
  try {
    const onProgress = progressReporter(progress)
    const result = await syncInvestments({ ...reading, store: copy.store, signal, onProgress })
    const { listed, pages, stored, removed } = result
    return { listed, pages, stored, removed }
  } catch (error) {
    if (!signal.aborted) throw error
    printer.note('Stopped. The same command continues after the last page that was stored.')
    return null
  } finally {
    progress.end()
  }
}

function progressReporter(progress: Progress): (done: SyncProgress) => void {
  const startedAt = performance.now()
  return (done) => progress.show(() => progressText(done, performance.now() - startedAt))
}

function progressText({ phase, pages, stored, removed }: SyncProgress, ms: number): string {
  const activity = phase === 'listing' ? 'Listing' : 'Applying changes'
  const perSecond = Math.round(((stored + removed) * 1_000) / Math.max(ms, 1))
  return `${activity}: ${count(stored + removed, 'record')} on ${count(pages, 'page')}, ${perSecond.toLocaleString('en')} a second`
}

type Result = { readonly listed: boolean; readonly stored: number; readonly removed: number }

function summary({ listed, stored, removed }: Result, { place }: Copy): string {
  if (listed) return `Listed ${count(stored, 'investment')} into ${place}.`
  if (stored + removed === 0) return `${place} is up to date.`
  return `Stored ${count(stored, 'changed investment')} and removed ${removed.toLocaleString('en')} in ${place}.`
}

const SECONDS_DEFAULT = '60'
const SECONDS_MAX = 604_800
const SHOWN_IDS = 20

const verifySync = command({
  name: 'verify-sync',
  summary: 'compare a copy of investments with a new listing',
  usage: '[--to PLACE | --seconds N] [--installation ID]',
  about: `With --to, the command brings that copy up to date and compares it with a new listing. Without --to, it makes a copy in memory, applies changes
to that copy for --seconds, and compares it. The exit code is 0 if they are equal, ${EXIT.differs} if they differ.`,
  options: {
    to: TO,
    ...READER_OPTIONS,
    seconds: { value: 'N', about: `how long to apply changes, without --to (default: ${SECONDS_DEFAULT})` },
  },
  examples: ['portico verify-sync --to sqlite:investments.db', 'portico verify-sync --token at_test_… --seconds 10'],
  onStop: 'finishes',
  run: async ({ values, printer, directory, signal, connect }) => {
    const { to, seconds } = values
    if (to !== undefined && seconds !== undefined) throw usageFailure('Give --to or --seconds, not both.')
    const limit = readWholeNumber('seconds', seconds ?? SECONDS_DEFAULT, { min: 0, max: SECONDS_MAX })
    const progress = new Progress(printer)
    const reading = { ...(await readingOf(await connect(), values)), signal, onProgress: progressReporter(progress) }
    await using copy = to === undefined ? null : await openCopy(to, directory)
    const settings = { seconds: limit, signal, printer, progress }
    const read = copy === null ? await memoryCopy(reading, settings) : storedCopy(reading, copy)
    const differences = await compareWithListing(reading, read).finally(() => progress.end())
    report(differences, printer)
    const { missing, surplus, different } = differences
    return missing.length + surplus.length + different.length === 0 ? EXIT.ok : EXIT.differs
  },
})

function storedCopy(reading: Reading, { store, records }: Copy): () => Promise<Digests> {
  return async () => {
    await syncInvestments({ ...reading, store })
    return digestsOf(records())
  }
}

type WatchSettings = {
  readonly seconds: number
  readonly signal: AbortSignal
  readonly printer: Printer
  readonly progress: Progress
}

async function memoryCopy(reading: Reading, settings: WatchSettings): Promise<() => Promise<Digests>> {
  const { seconds, signal, printer, progress } = settings
  const store = new DigestCopy()
  const update = () => syncInvestments({ ...reading, store }).finally(() => progress.end())
  await update()
  printer.note(`Listed ${count(store.digests().size, 'investment')}. Applying changes for ${count(seconds, 'second')}.`)
  const until = performance.now() + seconds * 1_000
  for (let left = seconds * 1_000; left > 0; left = until - performance.now()) {
    await wait(Math.min(left, 1_000), undefined, { signal })
    await update()
  }
  const { changes, tombstones } = store.counts
  printer.note(`Applied ${count(changes, 'change')}, including ${count(tombstones, 'tombstone')}.`)
  return async () => {
    await update()
    return store.digests()
  }
}

function report(differences: Differences, printer: Printer): void {
  const { missing, surplus, different, listed } = differences
  const wrongCount = missing.length + surplus.length + different.length
  if (printer.json) {
    printer.document({ equal: wrongCount === 0, listed, missing, surplus, different })
    return
  }
  for (const [ids, what] of [
    [missing, 'missing in the copy'],
    [surplus, 'only in the copy'],
    [different, 'different'],
  ] as const) {
    for (const id of ids.slice(0, SHOWN_IDS)) printer.line(`${id}\t${what}`)
    if (ids.length > SHOWN_IDS) printer.note(`and ${(ids.length - SHOWN_IDS).toLocaleString('en')} more ${what}`)
  }
  printer.line(
    wrongCount === 0
      ? `Equal: the copy and a new listing of ${count(listed, 'investment')}.`
      : `Not equal: ${count(wrongCount, 'record')} of ${listed.toLocaleString('en')}.`,
  )
}

async function readingOf(connection: Connection, reader: ReaderOptions): Promise<Reading> {
  const { company, offering } = reader
  const filters: InvestmentFilters = {
    ...(company === undefined ? {} : { company_id: company }),
    ...(offering === undefined ? {} : { offering_id: offering }),
  }
  return { client: await clientOf(connection, reader), filters }
}

async function clientOf(connection: Connection, { installation, token }: ReaderOptions): Promise<Client> {
  if (installation !== undefined && token !== undefined) throw usageFailure('Give --installation or --token, not both.')
  if (token !== undefined) return connection.forCopy({ token })
  return connection.forCopy({ installation: installation ?? (await onlyInstallation(connection)) })
}

async function onlyInstallation(connection: Connection): Promise<string> {
  const all = await connection.client('server').list('/installations').toArray()
  const active = all.filter(({ status, target }) => status === 'active' && target.type !== 'user')
  const [first, ...others] = active
  if (first === undefined) {
    const { clientId } = connection.serverKey()
    throw new Failure('The app is installed nowhere, so it sees no investments.', {
      exit: EXIT.notFound,
      type: 'not_installed',
      remedy: `Install it: ${connection.baseUrl}/apps/${clientId}/install, or give --token.`,
    })
  }
  if (others.length === 0) return first.id
  const names = active.map(({ id, target }) => `${id} (${target.name ?? target.id})`)
  throw usageFailure('The app is installed more than once.', `Choose with --installation: ${names.join(', ')}.`)
}

function requireTo(to: string | undefined): string {
  if (to !== undefined) return to
  throw usageFailure('The option --to is missing.', 'Add --to sqlite:investments.db, for example.')
}

export const syncCommands: readonly Command[] = [sync, verifySync]

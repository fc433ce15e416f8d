import { mkdir, open } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type InvestmentStore, PorticoError, postgresStore, sqliteStore } from '@portico/sdk'
import { ndjsonStore } from '@portico/sdk/node'
import { reasonOf } from '../connection/explain.ts'
import { EXIT, type ExitCode, Failure, usageFailure } from '../failure.ts'

/** The copy of investments that `--to` names. */
export type Copy = {
  readonly store: InvestmentStore
  /** The location of the copy, without a password. */
  readonly place: string
  /** Yields every record of the copy as JSON. */
  records(): AsyncIterable<string>
  [Symbol.asyncDispose](): Promise<void>
}

const FORMS = 'Write sqlite:FILE, ndjson:FOLDER or postgres://USER@HOST/DATABASE.'

/** Opens the copy, or creates it if it does not exist. */
export async function openCopy(text: string, directory: string): Promise<Copy> {
  const [, kind = '', rest = ''] = /^(\w+):(.+)$/.exec(text) ?? []
  switch (kind) {
    case 'sqlite':
      return openSqlite(resolve(directory, rest))
    case 'ndjson':
      return openNdjson(resolve(directory, rest))
    case 'postgres':
    case 'postgresql':
      return openPostgres(text)
    default:
      throw usageFailure(`"${text}" is not a place for a copy.`, FORMS)
  }
}

const SELECT_RECORDS = 'select record from portico_investments order by id'

async function openSqlite(file: string): Promise<Copy> {
  const { DatabaseSync } = await import('node:sqlite').catch((cause: unknown) => {
    throw new Failure(`Node ${process.version} has no SQLite.`, {
      type: 'no_sqlite',
      remedy: 'Use Node 22.13 or newer, or a copy in ndjson:FOLDER.',
      cause,
    })
  })
  const database = await openOrFail(file, async () => {
    await mkdir(dirname(file), { recursive: true })
    const database = new DatabaseSync(file, { timeout: 5_000 })
    database.exec('pragma journal_mode = wal; pragma synchronous = full')
    return database
  })
  return {
    store: sqliteStore(database),
    place: file,
    records: async function* () {
      for (const row of database.prepare(SELECT_RECORDS).iterate()) yield String(row['record'])
    },
    [Symbol.asyncDispose]: async () => database.close(),
  }
}

async function openNdjson(folder: string): Promise<Copy> {
  const store = await openOrFail(folder, () => ndjsonStore(folder))
  return {
    store,
    place: folder,
    records: async function* () {
      await using file = await open(join(folder, 'investments.ndjson'))
      yield* file.readLines()
    },
    [Symbol.asyncDispose]: () => store.close(),
  }
}

async function openPostgres(url: string): Promise<Copy> {
  const { default: pg } = await import('pg')
  const client = await openOrFail('in PostgreSQL', async () => new pg.Client({ connectionString: url }), EXIT.usage)
  const { host, port, database = '' } = client
  const place = `${database} on ${host}:${port}`
  client.on('error', () => {})
  await openOrFail(place, () => client.connect(), EXIT.unreachable)
  return {
    store: postgresStore(client),
    place,
    records: async function* () {
      const { rows } = await client.query<{ record: object }>(SELECT_RECORDS)
      for (const { record } of rows) yield JSON.stringify(record)
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

async function openOrFail<T>(place: string, open: () => Promise<T>, exit: ExitCode = EXIT.failed): Promise<T> {
  try {
    return await open()
  } catch (cause) {
    // An error of the SDK says what to do, for example if another process has the copy open.
    if (cause instanceof PorticoError) throw cause
    const details = { exit, type: 'no_copy', remedy: FORMS, cause }
    throw new Failure(`The copy ${place} cannot be opened: ${reasonOf(cause)}.`, details)
  }
}

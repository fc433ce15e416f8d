import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { expect, inject, onTestFinished } from 'vitest'
import type { Databases } from '#system/postgres/database.ts'
import { type DatabaseTimes, openDatabases } from '#system/postgres/open.ts'
import { PATIENT } from './patient.ts'

export const TEMPLATE_DATABASE = 'portico_template'

export type TestDatabase = {
  readonly url: string
  readonly databases: Databases
  /**
   * Runs unnamed SQL as the owner, who sees all schemas. Only tests call this, to arrange and inspect data. The tested
   * code never does.
   */
  sql<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Resolves once a transaction in this database waits for another transaction's lock. */
  untilTransactionWaits(): Promise<void>
  close(): Promise<void>
}

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** Creates a database for this file, as a fast clone of the migrated template. Close it in `afterAll`. */
export async function testDatabase(times: Partial<DatabaseTimes> = PATIENT): Promise<TestDatabase> {
  const url = await cloneDatabase(TEMPLATE_DATABASE)
  return databaseAt(url, { times, drop: () => dropDatabase(url) })
}

type Opened = { readonly times?: Partial<DatabaseTimes>; readonly drop: () => Promise<unknown> }

/** Opens a migrated database of a server that the test has started. */
export async function databaseAt(url: string, { times = PATIENT, drop }: Opened): Promise<TestDatabase> {
  const databases = await openDatabases({ url, poolSize: 8, times, onError: () => {} })
  const owner = await ownerConnection(url)
  return {
    url,
    databases,
    sql: async (text, values = []) => (await owner.query(text, [...values])).rows,
    untilTransactionWaits: () =>
      expect.poll(async () => (await owner.query(WAITING)).rowCount, { interval: 10 }).toBeGreaterThan(0),
    close: async () => {
      await databases.close()
      await owner.end()
      await drop()
    },
  }
}

/** Creates an empty database, which is dropped when the test is over. */
export async function emptyDatabase(): Promise<string> {
  const { url, drop } = await emptyDatabaseForFile()
  onTestFinished(drop)
  return url
}

export type EmptyDatabase = { readonly url: string; drop(): Promise<void> }

/** Creates an empty database that several tests share. Drop it in `afterAll`. */
export async function emptyDatabaseForFile(): Promise<EmptyDatabase> {
  const url = await cloneDatabase('template0')
  return { url, drop: () => dropDatabase(url) }
}

async function cloneDatabase(template: string): Promise<string> {
  const name = `t_${randomBytes(8).toString('hex')}`
  // PostgreSQL copies the files. That takes a third of the time of writing every page to the log.
  await asAdministrator((client) => client.query(`create database ${name} template ${template} strategy file_copy`))
  return withDatabase(inject('postgresUrl'), name)
}

async function dropDatabase(url: string): Promise<void> {
  await asAdministrator((client) => client.query(`drop database if exists ${databaseOf(url)} with (force)`))
}

/** The worker's own connection, which its files share. It ends with the worker. */
let administrator: Promise<Client> | null = null

async function asAdministrator(work: (client: Client) => Promise<unknown>): Promise<void> {
  administrator ??= connectAdministrator()
  await work(await administrator)
}

/** Connects to the database `postgres`, because PostgreSQL cannot clone a template that has a session. */
async function connectAdministrator(): Promise<Client> {
  const client = await ownerConnection(withDatabase(inject('postgresUrl'), 'postgres'))
  // This connection can end, because some tests end all sessions of the server, or the server itself.
  client.on('error', () => {
    administrator = null
  })
  return client
}

async function ownerConnection(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

/** Socket addresses have an encoded path as host, which `URL` would change, so only the name at the end is replaced. */
function withDatabase(url: string, name: string): string {
  return url.replace(/\/[^/?]+(\?.*)?$/, `/${name}$1`)
}

function databaseOf(url: string): string {
  return /\/([^/?]+)(?:\?.*)?$/.exec(url)?.[1] ?? ''
}

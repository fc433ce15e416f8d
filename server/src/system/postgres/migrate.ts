import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { WORLDS } from '#kernel/world.ts'
import { worldRole } from './connection.ts'
import type { PlatformDatabase } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import { type Migration, splitStatements } from './migration-files.ts'
import { platformStatement } from './statement.ts'

/**
 * The database cannot be migrated: it is newer than this code, a migration was edited, the user lacks rights, or a migration
 * failed.
 */
export class CannotMigrate extends Error {
  override readonly name = 'CannotMigrate'
}

export type MigrateOptions = {
  readonly url: string
  readonly migrations: readonly Migration[]
  /** Logs messages such as "another process is migrating" or "the connection was lost". */
  readonly log: (message: string) => void
  /**
   * Called before each migration. The migrations of an empty database share one transaction and cause one call, with the name
   * of the first.
   */
  readonly onApply?: (migration: { readonly name: string; readonly place: number; readonly of: number }) => void
  /** When this signal aborts, the process stops connecting, or stops waiting for another process that is migrating. */
  readonly signal?: AbortSignal | undefined
}

/** The letters "port" as a number: no other program locks it in this database. */
const LOCK_KEY = 0x70_6f_72_74
const LOCK_POLL_MS = 50
const CONNECT_WITHIN_MS = 10_000
/**
 * While a migration waits for a lock, all later requests for that lock wait behind it. So the migration stops waiting soon and
 * tries again.
 */
const LOCK_TIMEOUT_MS = 2_000
const LOCK_ATTEMPTS_MAX = 30
/** After these errors the migration is tried again: `lock_timeout`, and a deadlock with another session. */
const LOCK_FAILURES = ['55P03', '40P01']

/**
 * Applies new migrations. A migration cannot be undone. Any number of processes may call this at once: each migration is applied
 * once, and the other processes wait.
 */
export async function migrate(options: MigrateOptions): Promise<{ readonly applied: number }> {
  const socket = new Socket()
  const client = new Client({
    connectionString: options.url,
    stream: () => socket,
    application_name: 'portico migrate',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  })
  client.on('error', (error) => options.log(`the connection for migrating was lost: ${error.message}`))
  await connect(client, socket, options.signal)
  try {
    await takeLock(client, options)
    const pending = await prepareAndCompare(client, options.migrations).catch(explainMissingRight)
    const isEmpty = pending.length === options.migrations.length
    const announce = (migration: Migration) =>
      options.onApply?.({ name: migration.name, place: pending.indexOf(migration) + 1, of: pending.length })
    const first = isEmpty && pending.length > 1 ? pending[0] : undefined
    if (first !== undefined) announce(first)
    if (first === undefined || !(await appliedTogether(client, pending))) {
      for (const migration of pending) {
        announce(migration)
        await apply(client, migration)
      }
    }
    await grantWorldRights(client, options.log)
    return { applied: pending.length }
  } finally {
    // Closing the session releases the advisory lock.
    await client.end()
  }
}

/**
 * Every reason for a failed connection (no server, a wrong password, an unknown database) is reported in the same way. A signal
 * ends the attempt at once.
 */
async function connect(client: Client, socket: Socket, signal: AbortSignal | undefined): Promise<void> {
  const abort = () => socket.destroy()
  signal?.addEventListener('abort', abort)
  try {
    await client.connect()
  } catch (error) {
    throw new DatabaseUnavailable(error instanceof Error ? error.message : String(error), error)
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

/**
 * Polls instead of waiting inside PostgreSQL: a waiting session has a snapshot, and a `create index concurrently` of the
 * process that has the lock would wait for that snapshot forever.
 */
async function takeLock(client: Client, { log, signal }: MigrateOptions): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK_KEY])
    if (rows[0]?.taken) return
    if (attempt === 1) log('another process is migrating this database; waiting for it')
    await wait(LOCK_POLL_MS, undefined, { signal })
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

function explainMissingRight(error: unknown): never {
  if (!(error instanceof DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error
  throw new CannotMigrate(
    `The database user may not create schemas and tables here (${error.message}). It must own the database: ALTER DATABASE … OWNER TO …`,
  )
}

type Applied = { number: number; name: string; checksum: string }

async function prepareAndCompare(client: Client, known: readonly Migration[]): Promise<readonly Migration[]> {
  await client.query(`
    create schema if not exists platform;
    create schema if not exists test;
    create schema if not exists live;
    create table if not exists platform.migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default clock_timestamp()
    )`)
  const { rows } = await client.query<Applied>('select number, name, checksum from platform.migrations order by number')
  for (const applied of rows) compare(applied, known[applied.number - 1])
  return known.slice(rows.length)
}

function compare(applied: Applied, known: Migration | undefined): void {
  if (known === undefined) {
    throw new CannotMigrate(
      `The database is newer than this version of Portico: it has migration ${applied.name}, which this version does not have. Start the version that applied it, or a newer one.`,
    )
  }
  if (applied.checksum !== known.checksum && applied.checksum !== known.formerChecksum) {
    throw new CannotMigrate(
      `Migration ${applied.name} differs from the applied one in the database (${known.name}). Applied migrations are never edited: undo the edit and write a new one.`,
    )
  }
}

/**
 * In an empty database no session waits for our locks, so all migrations run in one transaction, and indexes are created without
 * `concurrently`. One commit is flushed instead of dozens, which makes a first start faster. Returns false if a migration failed:
 * then nothing was applied, and the caller applies them one by one, which shows the one that fails.
 */
async function appliedTogether(client: Client, migrations: readonly Migration[]): Promise<boolean> {
  const plain: Execute = async (statement) => {
    await client.query(statement.replaceAll(/\bindex concurrently\b/g, 'index'))
  }
  try {
    await client.query('begin')
    for (const run of runsOf(migrations)) {
      if (run[0].transactional) await client.query(textOf(client, run))
      else await statementByStatement(client, run[0], plain)
    }
    await client.query('commit')
    return true
  } catch {
    await client.query('rollback')
    return false
  }
}

type Run = readonly [Migration, ...Migration[]]

/** Groups migrations that can be sent in one message; each of the others is alone. */
function runsOf(migrations: readonly Migration[]): readonly Run[] {
  const runs: [Migration, ...Migration[]][] = []
  for (const migration of migrations) {
    const last = runs.at(-1)
    if (migration.transactional && last?.[0].transactional === true) last.push(migration)
    else runs.push([migration])
  }
  return runs
}

function textOf(client: Client, run: Run): string {
  const parts = run.flatMap((migration) => [
    ...migration.schemas.flatMap((schema) => [`set local search_path = ${schema}`, migration.text]),
    recordText(client, migration),
  ])
  return [`set local lock_timeout = ${LOCK_TIMEOUT_MS}`, ...parts].join('\n;\n')
}

function recordText(client: Client, { number, name, checksum }: Migration): string {
  const values = [String(number), client.escapeLiteral(name), client.escapeLiteral(checksum)]
  return `insert into platform.migrations (number, name, checksum) values (${values.join(', ')})`
}

async function apply(client: Client, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await (migration.transactional
        ? inOneTransaction(client, migration)
        : statementByStatement(client, migration, (statement) => withLockTimeout(client, statement)))
    } catch (error) {
      const mayPass = error instanceof DatabaseError && LOCK_FAILURES.includes(error.code ?? '')
      if (!mayPass || attempt >= LOCK_ATTEMPTS_MAX) throw named(migration, error)
      await wait(LOCK_POLL_MS * attempt)
    }
  }
}

function named({ name, transactional }: Migration, error: unknown): CannotMigrate {
  const reason = error instanceof Error ? error.message : String(error)
  const left = transactional
    ? 'It was rolled back'
    : 'It runs without a transaction, so the statements before the failed one stay, and the next start runs all of it again'
  return new CannotMigrate(`Migration ${name} failed: ${reason}. ${left}; no later migration was applied.`, {
    cause: error,
  })
}

async function inOneTransaction(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    for (const schema of migration.schemas) {
      await client.query(`set local search_path = ${schema}`)
      await client.query(migration.text)
    }
    await record(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

type Execute = (statement: string) => Promise<void>

async function statementByStatement(client: Client, migration: Migration, execute: Execute): Promise<void> {
  try {
    for (const schema of migration.schemas) {
      await client.query(`set search_path = ${schema}`)
      for (const statement of splitStatements(migration.text)) await partByPart(client, statement, execute)
    }
  } finally {
    await client.query('reset search_path; reset lock_timeout')
  }
  await record(client, migration)
}

const CREATE_CONCURRENTLY = /^create index concurrently (\w+) on (\w+)\s+([\s\S]+)$/

/** PostgreSQL creates no index of a partitioned table concurrently, so such a statement is run for each partition. */
async function partByPart(client: Client, statement: string, execute: Execute): Promise<void> {
  const [, name, table, definition] = CREATE_CONCURRENTLY.exec(statement.replace(/^--.*\n/gm, '')) ?? []
  if (name === undefined || table === undefined || definition === undefined) return await execute(statement)
  const partitions = await partitionsWithout(client, { name, table })
  if (partitions === null) return await execute(statement)
  // This index is invalid until each partition has its part; partitions that are created later get theirs automatically.
  await execute(`create index if not exists ${name} on only ${table} ${definition}`)
  for (const partition of (await partitionsWithout(client, { name, table })) ?? []) {
    const own = `${partition}_${name.replace(`${table}_`, '')}`
    await execute(`drop index concurrently if exists ${own}`)
    await execute(`create index concurrently ${own} on ${partition} ${definition}`)
    await execute(`alter index ${name} attach partition ${own}`)
  }
}

/**
 * A `concurrently` statement blocks no other session while it waits. So it has no lock timeout, and may wait for a long
 * transaction such as a backup.
 */
async function withLockTimeout(client: Client, statement: string): Promise<void> {
  await client.query(`set lock_timeout = ${/\bindex concurrently\b/.test(statement) ? 0 : LOCK_TIMEOUT_MS}`)
  await client.query(statement)
}

/**
 * The partitions that lack their part of this index; null for a table without partitions. An interrupted attempt leaves some
 * parts.
 */
async function partitionsWithout(
  client: Client,
  { name, table }: { readonly name: string; readonly table: string },
): Promise<readonly string[] | null> {
  const { rows } = await client.query<{ partitioned: boolean; missing: string[] }>(
    `select t.relkind = 'p' as partitioned,
            array(select p.relname::text from pg_catalog.pg_inherits i join pg_catalog.pg_class p on p.oid = i.inhrelid
                   where i.inhparent = t.oid and not exists (
                     select from pg_catalog.pg_inherits part join pg_catalog.pg_index x on x.indexrelid = part.inhrelid
                      where part.inhparent = to_regclass($2) and x.indrelid = p.oid)
                   order by 1) as missing
       from pg_catalog.pg_class t where t.oid = to_regclass($1)`,
    [table, name],
  )
  return rows[0]?.partitioned === true ? rows[0].missing : null
}

async function record(client: Client, { number, name, checksum }: Migration): Promise<void> {
  await client.query('insert into platform.migrations (number, name, checksum) values ($1, $2, $3)', [
    number,
    name,
    checksum,
  ])
}

/**
 * Gives each world a role that has no rights in the other world. Both roles may read and write the platform's shared tables,
 * with two exceptions: they may not delete rows of these tables, and they may only read the list of migrations. Every `migrate`
 * ends with this function, so that new tables are covered. If the database user may not create roles, only search_path
 * separates the worlds, and the log says so.
 */
export async function grantWorldRights(client: Client, log: (message: string) => void): Promise<void> {
  for (const world of WORLDS) {
    const role = worldRole(world)
    if (!(await ensureRole(client, role))) {
      log(`this database user may not create roles: only schemas separate the worlds (wanted ${role})`)
      return
    }
    await client.query(`
      grant usage on schema ${world}, platform to ${role};
      grant select, insert, update, delete on all tables in schema ${world} to ${role};
      grant select, insert, update on all tables in schema platform to ${role};
      revoke insert, update on platform.migrations from ${role};
      grant usage on all sequences in schema ${world} to ${role};
      grant usage on all sequences in schema platform to ${role}`)
  }
}

const DUPLICATE_OBJECT = '42710'
const UNIQUE_VIOLATION = '23505'

/** Roles belong to the whole cluster: the migrator of another database in it may be creating the same role at this moment. */
async function ensureRole(client: Client, role: string): Promise<boolean> {
  try {
    const { rowCount } = await client.query('select from pg_catalog.pg_roles where rolname = $1', [role])
    if (rowCount === 0) await client.query(`create role ${role} nologin`)
  } catch (error) {
    if (sqlState(error) === INSUFFICIENT_PRIVILEGE) return false
    if (sqlState(error) !== DUPLICATE_OBJECT && sqlState(error) !== UNIQUE_VIOLATION) throw error
  }
  try {
    await client.query(`grant ${role} to current_user`)
    return true
  } catch (error) {
    if (sqlState(error) === INSUFFICIENT_PRIVILEGE) return false
    // The migrator of another database in this cluster granted the role at the same moment.
    if (sqlState(error) === UNIQUE_VIOLATION || /tuple concurrently updated/.test(String(error))) return true
    throw error
  }
}

function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined
}

const COUNT_MIGRATIONS = platformStatement<{ applied: number }>(
  'system.count_migrations',
  'select coalesce(max(number), 0)::int as applied from platform.migrations',
)

/** How many migrations the database has, for the readiness check. */
export async function countMigrations(platform: PlatformDatabase): Promise<number> {
  return (await platform.reads.one(COUNT_MIGRATIONS)).applied
}

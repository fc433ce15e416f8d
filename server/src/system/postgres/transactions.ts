import type { Pool, PoolClient } from 'pg'
import { DatabaseUnavailable, translateError } from './errors.ts'
import type { SqlValue } from './statement.ts'

type AnyStatement = { readonly name: string; readonly text: string }

/**
 * The four ways to run a statement. The handles in `database.ts` are runners whose types accept only the statements of their
 * world or of the platform.
 */
export type Runner = {
  many(statement: AnyStatement, values?: readonly SqlValue[]): Promise<unknown[]>
  maybeOne(statement: AnyStatement, values?: readonly SqlValue[]): Promise<unknown>
  one(statement: AnyStatement, values?: readonly SqlValue[]): Promise<unknown>
  run(statement: AnyStatement, values?: readonly SqlValue[]): Promise<number>
}

/** A pool (each statement on any free connection) or one client (inside a transaction). */
type Queryable = {
  query(config: {
    name: string
    text: string
    values: SqlValue[]
  }): Promise<{ rows: unknown[]; rowCount: number | null }>
}

export function runnerOn(connection: () => Queryable, translate = translateError): Runner {
  async function query(statement: AnyStatement, values: readonly SqlValue[] = []) {
    try {
      return await connection().query({ name: statement.name, text: statement.text, values: [...values] })
    } catch (error) {
      throw translate(error)
    }
  }
  return {
    many: async (statement, values) => (await query(statement, values)).rows,
    maybeOne: async (statement, values) => atMostOne(statement, (await query(statement, values)).rows) ?? null,
    one: async (statement, values) => {
      const row = atMostOne(statement, (await query(statement, values)).rows)
      if (row === undefined) throw new Error(`${statement.name} returned no row`)
      return row
    },
    run: async (statement, values) => (await query(statement, values)).rowCount ?? 0,
  }
}

function atMostOne(statement: AnyStatement, rows: unknown[]): unknown {
  if (rows.length > 1) throw new Error(`${statement.name} returned ${rows.length} rows where one was expected`)
  return rows[0]
}

const [BEGIN, BEGIN_READING] = ['begin', 'begin isolation level repeatable read read only']

type Work<T> = (runner: Runner) => Promise<T>

export async function inTransaction<T>(pool: Pool, work: Work<T>): Promise<T> {
  return transactionOn(await connect(pool), work, (client) => control(client, BEGIN))
}

/** Runs reads on one snapshot. */
export async function inSnapshot<T>(pool: Pool, work: Work<T>): Promise<T> {
  return transactionOn(await connect(pool), work, (client) => control(client, BEGIN_READING))
}

/**
 * Runs reads on the snapshot that an open transaction exported. Only the same server has that snapshot, so nothing is read from
 * a replica or from a server that took over.
 */
export async function inSnapshotOf<T>(
  client: PoolClient,
  exportSnapshot: () => Promise<string>,
  work: Work<T>,
): Promise<T> {
  return transactionOn(client, work, async () => {
    const snapshot = await exportSnapshot()
    await control(client, BEGIN_READING)
    await adoptSnapshot(client, snapshot)
  })
}

/** SET TRANSACTION SNAPSHOT takes no parameter, so the name is checked and inserted. */
async function adoptSnapshot(client: PoolClient, snapshot: string): Promise<void> {
  if (!/^[0-9A-F-]+$/.test(snapshot)) throw new Error(`PostgreSQL exported a snapshot named ${snapshot}`)
  try {
    await client.query(`set transaction snapshot '${snapshot}'`)
  } catch (error) {
    throw new DatabaseUnavailable('another connection does not have the transaction’s snapshot', error)
  }
}

async function transactionOn<T>(
  client: PoolClient,
  work: Work<T>,
  begin: (client: PoolClient) => Promise<unknown>,
): Promise<T> {
  let open = true
  let broken: Error | undefined
  let cause: unknown
  const runner = runnerOn(
    () => {
      // Without this check a forgotten `await` would run its statement in the next transaction of this connection.
      if (!open) throw new Error('a statement was run after its transaction had ended')
      return client
    },
    // After one statement has failed, all later ones of the transaction fail too. Code that awaits several statements at once may
    // see the error of a later one first, so every failure is reported as the first error.
    (error) => {
      cause ??= translateError(error)
      return cause
    },
  )
  try {
    await begin(client)
    const result = await work(runner)
    open = false
    const { command } = await control(client, 'commit')
    // PostgreSQL answers COMMIT with ROLLBACK if a statement of the transaction had failed and the work ignored the error.
    if (command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back at commit')
    return result
  } catch (error) {
    open = false
    broken = await rollback(client)
    throw error
  } finally {
    client.release(broken)
  }
}

/** More waiting requests than this would not be served in time, so they fail at once. */
const WAITING_MAX = 500

async function connect(pool: Pool): Promise<PoolClient> {
  if (pool.waitingCount >= WAITING_MAX) throw new DatabaseUnavailable(`${WAITING_MAX} transactions are waiting`, null)
  try {
    return await pool.connect()
  } catch (error) {
    throw translateError(error)
  }
}

/**
 * Returns a connection only if one is free now: code that uses one connection and waits for another could wait for itself.
 * Returns null if no connection is free, or if none can be opened; `connect` reports the reason to the next transaction.
 */
export async function freeConnection(pool: Pool): Promise<PoolClient | null> {
  const isFree = pool.waitingCount === 0 && (pool.idleCount > 0 || pool.totalCount < pool.options.max)
  return isFree ? pool.connect().catch(() => null) : null
}

/** Only errors of the database are translated; errors that the work throws stay unchanged. */
async function control(client: PoolClient, command: string) {
  try {
    return await client.query(command)
  } catch (error) {
    throw translateError(error)
  }
}

/** A connection that cannot even roll back is destroyed instead of returned to the pool. */
async function rollback(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback')
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

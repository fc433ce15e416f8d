import type { Pool, PoolClient } from 'pg'
import { DatabaseUnavailable, translateError } from './errors.ts'
import type { SqlValue } from './statement.ts'

type AnyStatement = { readonly name: string; readonly text: string }

/** The four ways to run a statement; the typed handles in `database.ts` are this, with the right statements allowed. */
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

export function runnerOn(connection: () => Queryable, told = translateError): Runner {
  async function query(statement: AnyStatement, values: readonly SqlValue[] = []) {
    try {
      return await connection().query({ name: statement.name, text: statement.text, values: [...values] })
    } catch (error) {
      throw told(error)
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

/** Reads of one moment. */
export async function inSnapshot<T>(pool: Pool, work: Work<T>): Promise<T> {
  return transactionOn(await connect(pool), work, (client) => control(client, BEGIN_READING))
}

/**
 * Reads of the moment at which an open transaction is, told by a snapshot that it gave away. No other server knows of it, so what is
 * read is never of one that follows behind, or has taken over.
 */
export async function inSnapshotOf<T>(client: PoolClient, giveAway: () => Promise<string>, work: Work<T>): Promise<T> {
  return transactionOn(client, work, async () => {
    const snapshot = await giveAway()
    await control(client, BEGIN_READING)
    await adoptSnapshot(client, snapshot)
  })
}

/** It takes no parameter. */
async function adoptSnapshot(client: PoolClient, snapshot: string): Promise<void> {
  if (!/^[0-9A-F-]+$/.test(snapshot)) throw new Error(`PostgreSQL gave away a snapshot named ${snapshot}`)
  try {
    await client.query(`set transaction snapshot '${snapshot}'`)
  } catch (error) {
    throw new DatabaseUnavailable('another connection does not know of a transaction’s snapshot', error)
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
      // A forgotten `await` would otherwise run its statement in whichever transaction uses this connection next.
      if (!open) throw new Error('a statement was run after its transaction had ended')
      return client
    },
    // What fails after it fails because of it. Their answers arrive together, and code that awaits several of them may come
    // to a later one first.
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
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK: an error inside was swallowed by the work.
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

/** More than this many requests waiting for a connection will not be served in time: better to say so at once. */
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
 * If there is one now: who holds one already and waits for another may be waiting for itself. Where none can be made there is none;
 * the reason is reported to a caller that has no other.
 */
export async function freeConnection(pool: Pool): Promise<PoolClient | null> {
  const isFree = pool.waitingCount === 0 && (pool.idleCount > 0 || pool.totalCount < pool.options.max)
  return isFree ? pool.connect().catch(() => null) : null
}

/** Only what the database itself says is translated; what the work throws is the work's own and stays as it is. */
async function control(client: PoolClient, command: string) {
  try {
    return await client.query(command)
  } catch (error) {
    throw translateError(error)
  }
}

/** A connection that cannot even roll back is thrown away instead of going back to the pool. */
async function rollback(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback')
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

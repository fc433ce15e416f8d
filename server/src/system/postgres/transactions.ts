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

type Begin = 'begin' | 'begin isolation level repeatable read read only'

export async function inTransaction<T>(
  pool: Pool,
  work: (runner: Runner) => Promise<T>,
  begin: Begin = 'begin',
): Promise<T> {
  const client = await connect(pool)
  let open = true
  let broken: Error | undefined
  let cause: unknown
  const runner = runnerOn(
    () => {
      // A forgotten `await` would otherwise run its statement in whichever transaction uses this connection next.
      if (!open) throw new Error('a statement was run after its transaction had ended')
      return client
    },
    // What fails after it fails because of it. Their answers arrive together, and whoever awaits several of them may come
    // to a later one first.
    (error) => {
      cause ??= translateError(error)
      return cause
    },
  )
  try {
    await control(client, begin)
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

/** Only what the database itself says is translated; what the work throws is the work's own and stays as it is. */
async function control(client: PoolClient, command: Begin | 'commit') {
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

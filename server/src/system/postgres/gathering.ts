import type { Tx } from './database.ts'
import type { SqlValue, WorldStatement } from './statement.ts'

/**
 * A transaction in which many use cases run side by side. Calls of the same statement made in the same turn of the event
 * loop are sent as one, so PostgreSQL parses, plans and answers once for all of them. This is for use cases that do not
 * depend on each other: each sees what was there before the others.
 *
 * Only a `gatheredStatement` is gathered; every other statement is sent as it is.
 */
export function gatheringTx(tx: Tx): Tx {
  const gather = gatherer(tx)
  return {
    ...tx,
    many: (statement, values) => gather(statement, values) ?? tx.many(statement, values),
    maybeOne: async (statement, values) => {
      const rows = gather(statement, values)
      return rows === null ? tx.maybeOne(statement, values) : (atMostOne(statement, await rows) ?? null)
    },
    one: async (statement, values) => {
      const rows = gather(statement, values)
      if (rows === null) return tx.one(statement, values)
      const row = atMostOne(statement, await rows)
      if (row === undefined) throw new Error(`${statement.name} returned no row`)
      return row
    },
    run: async (statement, values) => {
      const rows = gather(statement, values)
      return rows === null ? tx.run(statement, values) : (await rows).length
    },
  }
}

type Values = readonly SqlValue[]
type Numbered = { readonly at: number }
type Call = {
  readonly values: Values
  readonly resolve: (rows: unknown[]) => void
  readonly reject: (error: unknown) => void
}
type Group = { readonly statement: WorldStatement<Numbered>; readonly calls: Call[] }

/** Takes a call, or returns null for a statement that has no text for many callers. */
function gatherer(tx: Tx) {
  let groups = new Map<string, Group>()

  function sendAll(): void {
    const due = groups
    groups = new Map()
    for (const group of due.values()) void send(tx, group)
  }

  return <Row>({ forMany }: WorldStatement<Row>, values: Values = []): Promise<Row[]> | null => {
    if (forMany === undefined) return null
    // Not in this very moment: use cases that continue with an answer that just arrived are still to call.
    if (groups.size === 0) setImmediate(sendAll)
    const key = JSON.stringify([forMany.name, values.filter((value) => Array.isArray(value))])
    const group = groups.get(key) ?? { statement: forMany, calls: [] }
    groups.set(key, group)
    return new Promise((resolve, reject) => {
      group.calls.push({ values, resolve: (rows) => resolve(rows as Row[]), reject })
    })
  }
}

async function send(tx: Tx, { statement, calls }: Group): Promise<void> {
  try {
    const rowsOf = calls.map((): unknown[] => [])
    for (const { at, ...row } of await tx.many(statement, columnsOf(calls))) rowsOf[at - 1]?.push(row)
    for (const [index, { resolve }] of calls.entries()) resolve(rowsOf[index] ?? [])
  } catch (error) {
    for (const { reject } of calls) reject(error)
  }
}

function columnsOf(calls: readonly Call[]): SqlValue[] {
  const [first] = calls
  return (first?.values ?? []).map((value, column) =>
    Array.isArray(value) ? value : (calls.map(({ values }) => values[column]) as readonly string[]),
  )
}

function atMostOne<Row>({ name }: WorldStatement<Row>, rows: readonly Row[]): Row | undefined {
  if (rows.length > 1) throw new Error(`${name} returned ${rows.length} rows where one was expected`)
  return rows[0]
}

import type { Tx, WorldDatabase } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import type { SqlValue, WorldStatement } from './statement.ts'

export type GatherLimits = {
  /** The maximum number of rows in one statement. */
  readonly rowsMax: number
  /** The maximum number of statements in flight; later calls wait for the next statement. */
  readonly statementsMax: number
}

/** One answer for each call, in the order of calls; a promise for a call that has to wait longer than the others. */
type Answers<Result> = Promise<readonly (Result | Promise<Result>)[]>

/**
 * Lookups of one kind in the same moment share one statement. One more row costs almost nothing, while one more statement costs
 * two system calls on each side and, if it writes, a commit. No timer delays a call: the statement is sent as soon as a turn
 * of the event loop brings no new call. Each call gets its own answer, and a row that the database rejects fails only its own
 * call.
 */
export function gathered<Lookup, Result>(
  limits: GatherLimits,
  answerAll: (db: WorldDatabase, all: readonly Lookup[]) => Answers<Result>,
): (db: WorldDatabase, lookup: Lookup) => Promise<Result> {
  const gatherings = new WeakMap<WorldDatabase, Gathering<Lookup, Result>>()
  return (db, lookup) => {
    let gathering = gatherings.get(db)
    if (gathering === undefined) {
      gathering = new Gathering(limits, (all) => answerAll(db, all))
      gatherings.set(db, gathering)
    }
    return gathering.add(lookup)
  }
}

type Waiting<Lookup, Result> = {
  readonly lookup: Lookup
  readonly resolve: (response: Result | Promise<Result>) => void
  readonly reject: (error: unknown) => void
}

/** More calls than this would not be answered in time, so they fail at once. */
const WAITING_MAX = 1_000

class Gathering<Lookup, Result> {
  readonly #limits: GatherLimits
  readonly #answerAll: (all: readonly Lookup[]) => Answers<Result>
  readonly #waiting: Waiting<Lookup, Result>[] = []
  #underWay = 0
  #isDue = false

  constructor(limits: GatherLimits, answerAll: (all: readonly Lookup[]) => Answers<Result>) {
    this.#limits = limits
    this.#answerAll = answerAll
  }

  add(lookup: Lookup): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= WAITING_MAX) {
        throw new DatabaseUnavailable(`${WAITING_MAX} calls are already waiting for the same statement`, null)
      }
      this.#waiting.push({ lookup, resolve, reject })
      this.#sendSoon()
    })
  }

  #sendSoon(): void {
    if (this.#isDue || this.#waiting.length === 0 || this.#underWay === this.#limits.statementsMax) return
    this.#isDue = true
    this.#sendAfterTurn(1)
  }

  /** Sends once a turn of the event loop brings no new call: until then calls of the same moment are still being read. */
  #sendAfterTurn(cameBefore: number): void {
    setImmediate(() => {
      const { length } = this.#waiting
      if (length > cameBefore && length < this.#limits.rowsMax) return this.#sendAfterTurn(length)
      this.#isDue = false
      while (this.#waiting.length > 0 && this.#underWay < this.#limits.statementsMax) {
        void this.#send(this.#waiting.splice(0, this.#limits.rowsMax))
      }
    })
  }

  async #send(batch: readonly Waiting<Lookup, Result>[]): Promise<void> {
    this.#underWay++
    try {
      await this.#answer(batch)
    } catch (error) {
      await this.#explain(batch, error)
    }
    this.#underWay--
    this.#sendSoon()
  }

  async #answer(batch: readonly Waiting<Lookup, Result>[]): Promise<void> {
    const responses = await this.#answerAll(batch.map(({ lookup }) => lookup))
    if (responses.length !== batch.length) throw new Error(`${batch.length} lookups got ${responses.length} answers`)
    // There is one answer for each call, so every call has its answer here.
    for (const [at, { resolve }] of batch.entries()) resolve(responses[at] as Result)
  }

  /**
   * A rejected row rolls back the whole statement, so each call is tried alone, and only the bad one fails. If the database did
   * not respond, no call is tried again: the database may have run the statement, and a retry would not help.
   */
  async #explain(batch: readonly Waiting<Lookup, Result>[], error: unknown): Promise<void> {
    if (batch.length === 1 || error instanceof DatabaseUnavailable) {
      for (const { reject } of batch) reject(error)
      return
    }
    await Promise.all(batch.map((one) => this.#answer([one]).catch(one.reject)))
  }
}

/**
 * A transaction in which many use cases run concurrently. Calls of the same statement in the same turn of the event loop are
 * sent as one, so PostgreSQL parses, plans and responds once for all of them. Only for use cases that do not depend on each
 * other, because a use case may or may not see the writes of the others.
 * Only a `gatheredStatement` is gathered; every other statement is sent unchanged.
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

/** Queues a call, or returns null for a statement that has no text for many callers. */
function gatherer(tx: Tx) {
  let groups = new Map<string, Group>()

  function sendAll(): void {
    const due = groups
    groups = new Map()
    for (const group of due.values()) void send(tx, group)
  }

  return <Row>({ forMany }: WorldStatement<Row>, values: Values = []): Promise<Row[]> | null => {
    if (forMany === undefined) return null
    // The calls are not sent at once, because use cases that continue after the last result have not made their next call yet.
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

import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'

type Named = { readonly name: string; readonly text: string }
type Rows = readonly object[]

/**
 * How `withFaults` changes a database handle, while the product's code stays the same: statements are delayed, sent with
 * another text, answered with other rows, or not answered.
 */
export type Faults = {
  /** Runs before each statement, except those of `short`. `queries` is the handle on which the statement will run. */
  readonly before?: (name: string, queries: WorldQueries) => Promise<void>
  /** Runs before the result is returned. */
  readonly after?: () => void
  /** Returns the text to send. */
  readonly text?: (statement: Named) => string
  /** Returns the rows that replace the statement's rows. */
  readonly rows?: (name: string, rows: Rows, db: WorldDatabase) => Promise<Rows>
  /** Runs when a transaction has done its work, just before it commits. */
  readonly beforeCommit?: (queries: WorldQueries) => Promise<void>
}

export function withFaults(db: WorldDatabase, faults: Faults): WorldDatabase {
  const { before, after, text, rows, beforeCommit } = faults
  const altered = <S extends Named>(statement: S): S => {
    const other = text?.(statement) ?? statement.text
    // A connection caches a prepared statement by its name, so another text needs another name.
    return other === statement.text ? statement : { ...statement, name: `${statement.name}~`, text: other }
  }
  const answered = async <Row>(name: string, given: Row[]): Promise<Row[]> =>
    rows === undefined ? given : ((await rows(name, given as Rows, db)) as Row[])
  const queriesOn = (queries: WorldQueries, turn: Turn = (wait) => wait()): WorldQueries => {
    const runAltered = async <S extends Named, T>(statement: S, run: (altered: S) => Promise<T>): Promise<T> => {
      await turn(async () => before?.(statement.name, queries))
      const answer = await run(altered(statement))
      after?.()
      return answer
    }
    return {
      world: queries.world,
      many: async (statement, values) =>
        answered(statement.name, await runAltered(statement, (other) => queries.many(other, values))),
      maybeOne: (statement, values) => runAltered(statement, (other) => queries.maybeOne(other, values)),
      one: (statement, values) => runAltered(statement, (other) => queries.one(other, values)),
      run: (statement, values) => runAltered(statement, (other) => queries.run(other, values)),
    }
  }
  return {
    world: db.world,
    reads: queriesOn(db.reads),
    snapshot: (work) => db.snapshot((queries) => work(queriesOn(queries, inOrder()))),
    beside: (tx, work) => db.beside(tx, (queries) => work(queries === tx ? tx : queriesOn(queries, inOrder()))),
    short: async (statement, values) => {
      const rows = await db.short(altered(statement), values)
      after?.()
      return answered(statement.name, rows)
    },
    transaction: (work) =>
      db.transaction(async (tx) => {
        const result = await work(queriesOn(tx, inOrder()) as Tx)
        await beforeCommit?.(tx)
        return result
      }),
  }
}

type Turn = (wait: () => Promise<void>) => Promise<void>

/** Sends a transaction's statements in order, even if some are delayed. */
function inOrder(): Turn {
  let last = Promise.resolve()
  return (wait) => {
    const turn = last.then(wait)
    last = turn.catch(() => {})
    return turn
  }
}

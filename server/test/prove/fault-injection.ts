import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'

type Named = { readonly name: string; readonly text: string }
type Rows = readonly object[]

/**
 * Changes a database handle from outside the product: statements are delayed, sent with another text, or answered with other
 * rows or not at all.
 */
export type Faults = {
  /** Before a statement is sent; `queries` is where it will run. */
  readonly before?: (name: string, queries: WorldQueries) => Promise<void>
  /** Before its answer is handed on. */
  readonly after?: () => void
  /** The text to send. */
  readonly text?: (statement: Named) => string
  /** What its rows become. */
  readonly rows?: (name: string, rows: Rows, db: WorldDatabase) => Promise<Rows>
  /** When a transaction's work is done and it is about to commit. */
  readonly beforeCommit?: (queries: WorldQueries) => Promise<void>
}

export function withFaults(db: WorldDatabase, faults: Faults): WorldDatabase {
  const { before, after, text, rows, beforeCommit } = faults
  const altered = <S extends Named>(statement: S): S => {
    const other = text?.(statement) ?? statement.text
    // A connection knows a statement by its name.
    return other === statement.text ? statement : { ...statement, name: `${statement.name}~`, text: other }
  }
  const answered = async <Row>(name: string, given: Row[]): Promise<Row[]> =>
    rows === undefined ? given : ((await rows(name, given as Rows, db)) as Row[])
  const queriesOn = (queries: WorldQueries, turn: Turn = (wait) => wait()): WorldQueries => {
    const held = async <S extends Named, T>(statement: S, ask: (altered: S) => Promise<T>): Promise<T> => {
      await turn(async () => before?.(statement.name, queries))
      const answer = await ask(altered(statement))
      after?.()
      return answer
    }
    return {
      world: queries.world,
      many: async (statement, values) =>
        answered(statement.name, await held(statement, (other) => queries.many(other, values))),
      maybeOne: (statement, values) => held(statement, (other) => queries.maybeOne(other, values)),
      one: (statement, values) => held(statement, (other) => queries.one(other, values)),
      run: (statement, values) => held(statement, (other) => queries.run(other, values)),
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

/** A transaction's statements are sent in order, also if some are delayed. */
function inOrder(): Turn {
  let last = Promise.resolve()
  return (wait) => {
    const turn = last.then(wait)
    last = turn.catch(() => {})
    return turn
  }
}

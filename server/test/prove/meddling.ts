import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'

type Named = { readonly name: string; readonly text: string }
type Rows = readonly object[]

/**
 * What a proof does to a database handle from outside, so that nothing in the product knows of it: statements held up,
 * sent with another text, or answered with other rows.
 */
export type Meddling = {
  /** Before a statement is sent; `queries` is where it will run. */
  readonly before?: (name: string, queries: WorldQueries) => Promise<void>
  /** The text to send. */
  readonly text?: (statement: Named) => string
  /** What its rows become. */
  readonly rows?: (name: string, rows: Rows, db: WorldDatabase) => Promise<Rows>
  /** When a transaction's work is done and it is about to commit. */
  readonly beforeCommit?: (queries: WorldQueries) => Promise<void>
}

export function meddledWith(db: WorldDatabase, meddling: Meddling): WorldDatabase {
  const { before, text, rows, beforeCommit } = meddling
  const altered = <S extends Named>(statement: S): S => {
    const other = text?.(statement) ?? statement.text
    // A connection knows a statement by its name.
    return other === statement.text ? statement : { ...statement, name: `${statement.name}~`, text: other }
  }
  const answered = async <Row>(name: string, given: Row[]): Promise<Row[]> =>
    rows === undefined ? given : ((await rows(name, given as Rows, db)) as Row[])
  const queriesOn = (queries: WorldQueries): WorldQueries => {
    const held = async <S extends Named>(statement: S): Promise<S> => {
      await before?.(statement.name, queries)
      return altered(statement)
    }
    return {
      world: queries.world,
      many: async (statement, values) => answered(statement.name, await queries.many(await held(statement), values)),
      maybeOne: async (statement, values) => queries.maybeOne(await held(statement), values),
      one: async (statement, values) => queries.one(await held(statement), values),
      run: async (statement, values) => queries.run(await held(statement), values),
    }
  }
  return {
    world: db.world,
    reads: queriesOn(db.reads),
    short: async (statement, values) => answered(statement.name, await db.short(altered(statement), values)),
    transaction: (work) =>
      db.transaction(async (tx) => {
        const result = await work(queriesOn(tx) as Tx)
        await beforeCommit?.(tx)
        return result
      }),
  }
}

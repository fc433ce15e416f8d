import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'

type Named = { readonly name: string; readonly text: string }

/** What a proof does to a worker's database handle from outside, so that nothing in the product knows of it. */
export type Meddling = {
  /** Before a statement is sent; `queries` is where it will run. */
  readonly before?: (name: string, queries: WorldQueries) => Promise<void>
  /** After it was answered. */
  readonly after?: () => void
  /** The text to send. */
  readonly text?: (statement: Named) => string
}

export function meddledWith(db: WorldDatabase, { before, after, text }: Meddling): WorldDatabase {
  const altered = <S extends Named>(statement: S): S => {
    const other = text?.(statement) ?? statement.text
    // A connection knows a statement by its name.
    return other === statement.text ? statement : { ...statement, name: `${statement.name}~`, text: other }
  }
  const queriesOn = (queries: WorldQueries): WorldQueries => {
    const held = async <S extends Named, T>(statement: S, ask: (altered: S) => Promise<T>): Promise<T> => {
      await before?.(statement.name, queries)
      const answer = await ask(altered(statement))
      after?.()
      return answer
    }
    return {
      world: queries.world,
      many: (statement, values) => held(statement, (other) => queries.many(other, values)),
      maybeOne: (statement, values) => held(statement, (other) => queries.maybeOne(other, values)),
      one: (statement, values) => held(statement, (other) => queries.one(other, values)),
      run: (statement, values) => held(statement, (other) => queries.run(other, values)),
    }
  }
  return {
    world: db.world,
    reads: queriesOn(db.reads),
    short: (statement, values) => db.short(altered(statement), values),
    transaction: (work) =>
      db.transaction(async (tx) => {
        const result = await work(queriesOn(tx) as Tx)
        after?.()
        return result
      }),
  }
}

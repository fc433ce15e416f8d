import type { WorldDatabase } from './database.ts'

/** Returns one answer for each key, in the order of the keys. */
type Look<Result> = (db: WorldDatabase, keys: readonly string[]) => Promise<readonly Result[]>

/** The lookups of this turn, by key. */
type Lookups<Result> = Map<string, PromiseWithResolvers<Result>>

/** More keys are split into several statements: a large statement would delay all others on its connection. */
const KEYS_MAX = 100

/**
 * For a short lookup by key: lookups of the same turn of the event loop share one statement, and lookups of the same key share
 * its answer. The statement is sent at the end of the turn, so its answer is never older than the request. Nothing is cached:
 * the next turn sends a new statement.
 */
export function sharedLookup<Result>(look: Look<Result>): (db: WorldDatabase, key: string) => Promise<Result> {
  const leaving = new WeakMap<WorldDatabase, Lookups<Result>>()
  const begin = (db: WorldDatabase) => {
    const lookups: Lookups<Result> = new Map()
    leaving.set(db, lookups)
    setImmediate(() => {
      if (leaving.get(db) === lookups) leaving.delete(db)
      void settle(lookups, look(db, [...lookups.keys()]))
    })
    return lookups
  }
  return (db, key) => {
    const waiting = leaving.get(db)
    const lookups = waiting === undefined || waiting.size === KEYS_MAX ? begin(db) : waiting
    const same = lookups.get(key)
    if (same !== undefined) return same.promise
    const one = Promise.withResolvers<Result>()
    lookups.set(key, one)
    return one.promise
  }
}

async function settle<Result>(lookups: Lookups<Result>, looking: Promise<readonly Result[]>): Promise<void> {
  try {
    const responses = await looking
    if (responses.length !== lookups.size) throw new Error(`${lookups.size} keys got ${responses.length} answers`)
    let at = 0
    // There is one answer for each key, so every key has its answer here.
    for (const { resolve } of lookups.values()) resolve(responses[at++] as Result)
  } catch (error) {
    for (const { reject } of lookups.values()) reject(error)
  }
}

/**
 * For a short read without a key: reads of the same turn of the event loop share one statement. It is sent at the end of the
 * turn (`pipeline.ts`), so its answer is never older than the request.
 */
export function sharedRead<Result>(
  ask: (db: WorldDatabase) => Promise<Result>,
): (db: WorldDatabase) => Promise<Result> {
  const leaving = new WeakMap<WorldDatabase, Promise<Result>>()
  return (db) => {
    const lookups = leaving.get(db)
    if (lookups !== undefined) return lookups
    const asking = ask(db)
    leaving.set(db, asking)
    setImmediate(() => leaving.delete(db))
    return asking
  }
}

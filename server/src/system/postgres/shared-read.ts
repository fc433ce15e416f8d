import type { WorldDatabase } from './database.ts'

/**
 * For a short read that asks for nothing in particular: reads of the same turn of the event loop share one
 * statement. It leaves at the end of the turn (`pipeline.ts`), so what it tells is never older than the asking.
 */
export function sharedRead<Answer>(
  ask: (db: WorldDatabase) => Promise<Answer>,
): (db: WorldDatabase) => Promise<Answer> {
  const leaving = new WeakMap<WorldDatabase, Promise<Answer>>()
  return (db) => {
    const asked = leaving.get(db)
    if (asked !== undefined) return asked
    const asking = ask(db)
    leaving.set(db, asking)
    setImmediate(() => leaving.delete(db))
    return asking
  }
}

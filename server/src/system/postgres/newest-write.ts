import type { PlatformDatabase } from './database.ts'
import { platformStatement } from './statement.ts'

/**
 * Every transaction that writes takes a number, and one that only reads takes none. The snapshot lists which numbers have been
 * taken, and which of them are still in progress. So while its text stays the same, no transaction has committed a write in any
 * database of the server.
 */
const SNAPSHOT = platformStatement<{ snapshot: string }>(
  'system.newest_write',
  'select pg_current_snapshot()::text as snapshot',
)

/** A text that changes with each committed write, also with those of other databases. */
export async function newestWrite({ reads }: Pick<PlatformDatabase, 'reads'>): Promise<string> {
  return (await reads.one(SNAPSHOT)).snapshot
}

import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** A lock of a table, and about how long a connection held it: the time is accurate to two polls. */
export type Lock = { readonly relation: string; readonly mode: string; readonly ms: number }

type Row = { readonly pid: number; readonly relation: string; readonly mode: string }

/**
 * Locks of any connection that prevent writes or reads of a table. The service itself takes such locks only while it makes or drops a
 * partition.
 */
const LOCKS = `
  select l.pid, l.relation::regclass::text as relation, l.mode
    from pg_locks l join pg_class c on c.oid = l.relation
   where l.granted and l.locktype = 'relation' and c.relkind in ('r', 'p')
     and l.database = (select oid from pg_database where datname = current_database())
     and l.mode in ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')`

const POLL_MS = 10

/** Reads the locks every ten milliseconds until `isOver`. A shorter lock may be missed. */
export async function watchLocks(connectionString: string, isOver: () => boolean): Promise<readonly Lock[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const since = new Map<string, { first: number; last: number }>()
  try {
    while (!isOver()) {
      const nowMs = performance.now()
      for (const { pid, relation, mode } of (await client.query<Row>(LOCKS)).rows) {
        const key = `${pid} ${relation} ${mode}`
        const seen = since.get(key)
        since.set(key, { first: seen?.first ?? nowMs, last: nowMs })
      }
      await wait(POLL_MS)
    }
  } finally {
    await client.end()
  }
  const locks = [...since].map(([key, { first, last }]) => {
    const [, relation = '', mode = ''] = key.split(' ')
    return { relation, mode, ms: last - first + POLL_MS }
  })
  return locks.sort((a, b) => b.ms - a.ms)
}

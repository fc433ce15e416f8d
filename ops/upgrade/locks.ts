import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** How long another connection would have waited for a table, at least. */
export type Held = { readonly relation: string; readonly mode: string; readonly ms: number }

type Row = { readonly pid: number; readonly relation: string; readonly mode: string }

/**
 * Locks that keep others from writing or reading, held by any connection. The service itself takes none of them in its daily work,
 * except while a partition is made or dropped.
 */
const LOCKS = `
  select l.pid, l.relation::regclass::text as relation, l.mode
    from pg_locks l join pg_class c on c.oid = l.relation
   where l.granted and l.locktype = 'relation' and c.relkind in ('r', 'p')
     and l.database = (select oid from pg_database where datname = current_database())
     and l.mode in ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')`

const LOOK_EVERY_MS = 10

/** Looks every ten milliseconds until `isOver`; a lock that lasts shorter than that may be missed. */
export async function watchLocks(connectionString: string, isOver: () => boolean): Promise<readonly Held[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const since = new Map<string, { first: number; last: number }>()
  try {
    while (!isOver()) {
      const nowMs = performance.now()
      for (const { pid, relation, mode } of (await client.query<Row>(LOCKS)).rows) {
        const key = `${pid} ${relation} ${mode}`
        const held = since.get(key)
        since.set(key, { first: held?.first ?? nowMs, last: nowMs })
      }
      await wait(LOOK_EVERY_MS)
    }
  } finally {
    await client.end()
  }
  const held = [...since].map(([key, { first, last }]) => {
    const [, relation = '', mode = ''] = key.split(' ')
    return { relation, mode, ms: last - first + LOOK_EVERY_MS }
  })
  return held.sort((a, b) => b.ms - a.ms)
}

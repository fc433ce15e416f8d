import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** A lock of a table, and about how long a connection held it: the time is accurate to two polls. */
export type Lock = { readonly relation: string; readonly mode: string; readonly ms: number }

export type LockRow = { readonly pid: number; readonly relation: string; readonly mode: string }

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
  const sightings = new LockSightings()
  try {
    while (!isOver()) {
      const nowMs = performance.now()
      sightings.add((await client.query<LockRow>(LOCKS)).rows, nowMs)
      await wait(POLL_MS)
    }
  } finally {
    await client.end()
  }
  return sightings.locks()
}

type Sighting = LockRow & { readonly firstMs: number; readonly lastMs: number }

/**
 * Joins the locks that successive polls found. A lock that a poll does not find has ended, so two short locks of one
 * connection do not count as a long one.
 */
export class LockSightings {
  #current = new Map<string, Sighting>()
  readonly #ended: Sighting[] = []

  /** `rows`: all locks that a poll found at this time. */
  add(rows: readonly LockRow[], nowMs: number): void {
    const found = new Map<string, Sighting>()
    for (const row of rows) {
      const key = `${row.pid} ${row.relation} ${row.mode}`
      found.set(key, { ...row, firstMs: this.#current.get(key)?.firstMs ?? nowMs, lastMs: nowMs })
    }
    for (const [key, sighting] of this.#current) if (!found.has(key)) this.#ended.push(sighting)
    this.#current = found
  }

  /** Returns all locks, the longest first. */
  locks(): readonly Lock[] {
    return [...this.#ended, ...this.#current.values()]
      .map(({ relation, mode, firstMs, lastMs }) => ({ relation, mode, ms: lastMs - firstMs + POLL_MS }))
      .sort((a, b) => b.ms - a.ms)
  }
}

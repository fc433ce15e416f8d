import type { WorldDatabase } from '#system/postgres/database.ts'
import { type EntryRow, type EventFilter, findInWindow, findWindowEnd } from './read-store.ts'
import { isFor, recordOf, type Viewer, type Wish } from './viewer.ts'

/** Entries that one statement looks at, and statements of one request: a rare event among many ends the page early. */
const WINDOW = 2_000
const WINDOWS_MAX = 5

type Asked = { readonly wish: Wish; readonly filter: EventFilter; readonly after: number | null; readonly size: number }

export type EventPage = {
  /** JSON texts. */
  readonly records: readonly string[]
  /** Where the next page begins; null if there is none. */
  readonly next: number | null
}

/** Only what the installations may have now, so the page is filled from as many windows as it takes. */
export async function listEvents(
  db: WorldDatabase,
  viewer: Viewer,
  { wish, filter, after, size }: Asked,
): Promise<EventPage> {
  const found: { readonly position: number; readonly record: string }[] = []
  const full = () => found.length > size
  let from = after
  for (let windows = 0; windows < WINDOWS_MAX && !full(); windows++) {
    const window = { from, entries: WINDOW, limit: size + 1 }
    const rows = await findInWindow(db.reads, viewer, { filter, window })
    found.push(...rows.filter((row) => isFor(viewer, wish, row)).flatMap((row) => shown(row, db)))
    const last = rows.length === window.limit ? rows.at(-1) : undefined
    from = last?.position ?? (await findWindowEnd(db.reads, viewer, { filter, window }))
    if (from === null) break
  }
  const records = found.slice(0, size)
  const next = full() ? (records.at(-1)?.position ?? null) : from
  return { records: records.map(({ record }) => record), next }
}

function shown(row: EntryRow, { world }: WorldDatabase) {
  const record = recordOf(row, world)
  return record === null ? [] : [{ position: row.position, record }]
}

import { openCursor, page, pageSize } from '#http/pagination.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { dealRecord } from './deal-record.ts'
import { liveDeals } from './deal-store.ts'

export type DealDeps = { readonly cursors: CursorSealer; readonly origin: () => string }
type Asked = { readonly per_page?: number; readonly cursor?: string }

/** A page of a syndicate's live deals, the newest offering first. */
export async function listDeals(deps: DealDeps, queries: WorldQueries, syndicate: Id<'syndicate'>, asked: Asked) {
  // A cursor is a place in one syndicate's list: in another's it means nothing.
  const kind = { kind: `deals/${syndicate}`, version: 1 }
  const after = openCursor(deps.cursors, kind, asked.cursor)
  const size = pageSize(asked.per_page)
  const place = after === null ? null : String(after[0])
  return page({
    rows: await liveDeals(queries, syndicate, { after: place, limit: size + 1 }),
    size,
    item: (row) => dealRecord(row, deps.origin()),
    next: ({ id }) => deps.cursors.seal(kind, [id]),
  })
}

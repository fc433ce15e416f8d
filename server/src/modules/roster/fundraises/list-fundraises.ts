import { openCursor, page, pageSize } from '#http/pagination.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { fundraiseRecord } from './fundraise-record.ts'
import { fundraiseRows } from './fundraise-store.ts'

type Asked = { readonly per_page?: number; readonly cursor?: string }

/** A page of a company's rounds and SPVs, the newest first. */
export async function listFundraises(
  cursors: CursorSealer,
  queries: WorldQueries,
  company: Id<'company'>,
  asked: Asked,
) {
  // A cursor is a place in one company's list: in another's it means nothing.
  const kind = { kind: `fundraises/${company}`, version: 1 }
  const after = openCursor(cursors, kind, asked.cursor)
  const size = pageSize(asked.per_page)
  const place = after === null ? null : String(after[0])
  return page({
    rows: await fundraiseRows(queries, company, { after: place, limit: size + 1 }),
    size,
    item: fundraiseRecord,
    next: ({ id }) => cursors.seal(kind, [id]),
  })
}

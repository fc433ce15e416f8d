import { openCursor, page, pageSize } from '#http/pagination.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { type InvestorRows, investorRecord } from './investor-record.ts'
import { investorRows } from './investor-store.ts'

type Asked = {
  readonly per_page?: number
  readonly cursor?: string
  readonly pii: boolean
  /** Null for an installation. */
  readonly self: Id<'user'> | null
}

/** A page of a company's roster, by id. "A user always sees their own" name. */
export async function listInvestors(
  cursors: CursorSealer,
  queries: WorldQueries,
  company: Id<'company'>,
  asked: Asked,
) {
  // A cursor is a place in one company's roster: in another's it means nothing.
  const kind = { kind: `roster/${company}`, version: 1 }
  const after = openCursor(cursors, kind, asked.cursor)
  const size = pageSize(asked.per_page)
  const place = after === null ? null : String(after[0])
  const rows = await investorRows(queries, company, { after: place, limit: size + 1 })
  const investors = [...Map.groupBy(rows, ({ id }) => id).values()] as unknown as InvestorRows[]
  return page({
    rows: investors,
    size,
    item: (those) => investorRecord(those, asked.pii || those[0].id === asked.self),
    next: ([{ id }]) => cursors.seal(kind, [id]),
  })
}

import { openCursor, page, pageSize } from '#http/pagination.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import type { Listed } from '../managing/look-up.ts'
import type { Wanted } from '../managing/visible-store.ts'
import { installationRecord } from './schemas.ts'

const KIND = { kind: 'installations', version: 1 }

type PageQuery = { readonly per_page?: number; readonly cursor?: string }

/** A page of whoever's list, the newest first. */
export async function showPage(
  cursors: CursorSealer,
  query: PageQuery,
  list: (at: Pick<Wanted, 'before' | 'limit'>) => Promise<Listed>,
) {
  const size = pageSize(query.per_page)
  const [before = null] = openCursor(cursors, KIND, query.cursor) ?? []
  const { rows, count } = await list({ before: before === null ? null : String(before), limit: size + 1 })
  const { data, meta } = page({
    rows,
    size,
    item: installationRecord,
    next: ({ id }) => cursors.seal(KIND, [id]),
  })
  return { data, meta: { ...meta, count } }
}

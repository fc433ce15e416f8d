import { openCursor, page } from '#http/pagination.ts'
import type { CursorKind, CursorSealer } from '#kernel/cursor.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { Installation } from '../installation.ts'
import type { Wanted } from '../managing/visible-store.ts'
import { installationRecord } from './schemas.ts'

type PageQuery = { readonly size: number; readonly cursor: string | undefined }
export type Position = Pick<Wanted, 'before' | 'limit'>

export type Pages = { readonly cursors: CursorSealer; readonly kind: CursorKind }
type WhichList = { readonly list: string; readonly world: World; readonly app: Id<'app'> }

/** A cursor is good for the list that gave it out: not for another app's, nor in the other world. */
export function pagesOf(cursors: CursorSealer, { list, world, app }: WhichList): Pages {
  return { cursors, kind: { kind: `${list}/${world}/${app}`, version: 1 } }
}

/** A page of whoever's list, the newest first. */
export async function showPage(
  { cursors, kind }: Pages,
  { size, cursor }: PageQuery,
  list: (at: Position) => Promise<readonly Installation[]>,
) {
  const [before = null] = openCursor(cursors, kind, cursor) ?? []
  const rows = await list({ before: before === null ? null : String(before), limit: size + 1 })
  const { data, meta } = page({ rows, size, item: installationRecord, next: ({ id }) => cursors.seal(kind, [id]) })
  return { data, meta: { ...meta, count: data.length } }
}

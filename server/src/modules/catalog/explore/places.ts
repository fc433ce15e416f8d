import { countOf } from '#http/page-places.ts'
import { openCursor } from '#http/pagination.ts'
import type { Behaviour } from '#http/versions.ts'
import type { CursorKind, CursorSealer } from '#kernel/cursor.ts'
import type { ExploreRow, Start } from './explore-store.ts'

export type Places = {
  readonly open: (cursor: string | undefined) => Start
  readonly after: (row: ExploreRow, rowsBefore: number) => string
}

/** Older versions count rows; the newest names the row after which to go on, which stays right while others change. */
export function placesOf(cursors: CursorSealer, cursorsAre: Behaviour['pageCursors'], kind: CursorKind): Places {
  return cursorsAre === 'offsets' ? COUNTED : sealed(cursors, kind)
}

function sealed(cursors: CursorSealer, kind: CursorKind): Places {
  return {
    open: (cursor) => {
      const [key, offering] = openCursor(cursors, kind, cursor) ?? []
      return { after: key === undefined ? null : { key: String(key), offering: String(offering) }, skip: 0 }
    },
    after: ({ place, id }) => cursors.seal(kind, [place, id]),
  }
}

const COUNTED: Places = {
  open: (cursor) => ({ after: null, skip: countOf(cursor) }),
  after: (_row, rowsBefore) => String(rowsBefore),
}

import { openCursor } from '#http/pagination.ts'
import type { Behaviour } from '#http/versions.ts'
import type { CursorKind, CursorSealer } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
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

const COUNT = /^\d{1,7}$/

function countOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  if (COUNT.test(cursor)) return Number(cursor)
  throw new ApiError('invalid_request', {
    public: 'The cursor is not one this list gave out.',
    remediation: "Pass the previous page's meta.next_cursor as it is, or leave the cursor out to start again.",
  })
}

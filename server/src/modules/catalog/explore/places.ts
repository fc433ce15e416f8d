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
/** Every row before the place is read again for each page; no catalogue has as many. */
const COUNT_MAX = 100_000

function countOf(cursor: string | undefined): number {
  if (cursor === undefined || cursor === '') return 0
  if (!COUNT.test(cursor)) throw notOurs("Pass the previous page's meta.next_cursor as it is")
  const count = Number(cursor)
  if (count > COUNT_MAX)
    throw notOurs(`Numbers of rows end at ${COUNT_MAX}: go on with a version that seals its cursors`)
  return count
}

function notOurs(whatToDo: string): ApiError {
  return new ApiError('invalid_request', {
    public: 'The cursor is not one this list gave out.',
    remediation: `${whatToDo}, or leave the cursor out to start again.`,
  })
}

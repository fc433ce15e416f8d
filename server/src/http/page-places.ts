import type { CursorKind, CursorSealer, CursorValue } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import { openCursor } from './pagination.ts'
import type { Behaviour } from './versions.ts'

/** Where a page begins: after this place, or so many rows after the start. */
export type PageStart = { readonly after: readonly CursorValue[] | null; readonly skip: number }

/** The cursors of a list that used to count rows. */
export type PagePlaces = {
  readonly open: (cursor: string | undefined) => PageStart
  /** `rowsSoFar`: those of this page and of all before it. */
  readonly next: (place: readonly CursorValue[], rowsSoFar: number) => string
}

/** Older versions count rows; the newest names the row after which to go on, which stays right while others change. */
export function pagePlaces(cursors: CursorSealer, cursorsAre: Behaviour['pageCursors'], kind: CursorKind): PagePlaces {
  if (cursorsAre === 'offsets') return COUNTED
  return {
    open: (cursor) => ({ after: openCursor(cursors, kind, cursor), skip: 0 }),
    next: (place) => cursors.seal(kind, place),
  }
}

const COUNTED: PagePlaces = {
  open: (cursor) => ({ after: null, skip: countOf(cursor) }),
  next: (_place, rowsSoFar) => String(rowsSoFar),
}

const COUNT = /^\d{1,7}$/
/** Every row before the place is read again for each page. */
const COUNT_MAX = 100_000

/** How many rows a cursor of an older version skips. */
export function countOf(cursor: string | undefined): number {
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

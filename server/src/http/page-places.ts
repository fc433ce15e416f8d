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

function countOf(cursor: string | undefined): number {
  if (cursor === undefined || cursor === '') return 0
  if (COUNT.test(cursor)) return Number(cursor)
  throw new ApiError('invalid_request', {
    public: 'The cursor is not one this list gave out.',
    remediation: "Pass the previous page's meta.next_cursor as it is, or leave the cursor out to start again.",
  })
}

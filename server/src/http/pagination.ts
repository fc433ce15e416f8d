import { type TProperties, type TSchema, Type } from 'typebox'
import type { CursorKind, CursorSealer, CursorValue } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Behaviour } from './versions.ts'

export type PageSizes = { readonly default: number; readonly max: number }
export const PAGE_SIZES: PageSizes = { default: 25, max: 100 }

/** The two query parameters every list takes; spread into a list's query schema. */
export function pageQuery(sizes: PageSizes = PAGE_SIZES) {
  return {
    per_page: Type.Optional(
      Type.Integer({
        description: `How many rows, ${sizes.default} by default. Above ${sizes.max} means ${sizes.max}; zero or less means ${sizes.default}.`,
      }),
    ),
    cursor: Type.Optional(
      Type.String({ description: "The previous page's meta.next_cursor, as it is.", maxLength: 1_024 }),
    ),
  }
}

const META = {
  has_more: Type.Boolean({ description: 'Whether another page exists. Iterate on this, never on an empty page.' }),
  page_count: Type.Integer({ description: 'Rows in this page.' }),
  next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'For the next page; opaque.' }),
}

/** `more`: what a list's meta tells beyond that. */
export function listOf<Row extends TSchema, More extends TProperties = Record<never, never>>(row: Row, more?: More) {
  return Type.Object({ data: Type.Array(row), meta: Type.Object({ ...META, ...(more as More) }) })
}

/** The specification's rule: too many is capped, nothing or less falls back to the default. */
export function pageSize(perPage: number | undefined, sizes: PageSizes = PAGE_SIZES): number {
  if (perPage === undefined || perPage < 1) return sizes.default
  return Math.min(perPage, sizes.max)
}

/** The position a cursor stands for; null on the first page. A cursor that is not ours to the last bit is 400. */
export function openCursor(
  sealer: CursorSealer,
  kind: CursorKind,
  cursor: string | undefined,
): readonly CursorValue[] | null {
  // Clients that always send every parameter send an empty cursor for the first page.
  if (cursor === undefined || cursor === '') return null
  const position = sealer.open(kind, cursor)
  if (position !== null) return position
  throw new ApiError('invalid_request', {
    public: 'The cursor is not one this list gave out.',
    remediation: "Pass the previous page's meta.next_cursor as it is, or leave the cursor out to start again.",
  })
}

type Page<Row, Item> = {
  /** One more than the page holds, if there are that many: the surplus row says that another page exists. */
  readonly rows: readonly Row[]
  readonly size: number
  readonly item: (row: Row) => Item
  /** Where the page after this row begins. */
  readonly next: (row: Row) => string
}

export function page<Row, Item>({ rows, size, item, next }: Page<Row, Item>) {
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  const hasMore = rows.length > size
  return {
    data: shown.map(item),
    meta: {
      has_more: hasMore,
      page_count: shown.length,
      next_cursor: hasMore && last !== undefined ? next(last) : null,
    },
  }
}

/** The most rows that an older version gets in one response of a list that it does not page. */
const WHOLE_LIST_MAX = 10_000

export type PageRequest = { readonly per_page?: number | undefined; readonly cursor?: string | undefined }

/** Before the newest version some lists were not paged: without `per_page` (or `limit`) they return all rows. */
export function unpagedSize(perPage: number | undefined, lists: Behaviour['unpagedLists'], sizes = PAGE_SIZES): number {
  return perPage === undefined && lists === 'whole' ? WHOLE_LIST_MAX : pageSize(perPage, sizes)
}

type ShortList<Row, Item> = {
  /** Every row of the list, in any order. */
  readonly rows: readonly Row[]
  readonly query: PageRequest
  readonly lists: Behaviour['unpagedLists']
  readonly cursors: CursorSealer
  readonly kind: CursorKind
  /** What the list is ordered by. The last value must be unique, so that a page can start after a row that is gone. */
  readonly place: (row: Row) => readonly CursorValue[]
  readonly order?: 'descending'
  readonly item: (row: Row) => Item
}

/** A page of a list that is short by nature, such as the companies of one person: all rows are read for each page. */
export function shortListPage<Row, Item>(list: ShortList<Row, Item>) {
  const { rows, query, lists, cursors, kind, place, order, item } = list
  const direction = order === 'descending' ? -1 : 1
  const after = openCursor(cursors, kind, query.cursor)
  const size = unpagedSize(query.per_page, lists)
  const placed = rows.map((row) => ({ row, at: place(row) })).toSorted((a, b) => direction * comparePlaces(a.at, b.at))
  const rest = after === null ? placed : placed.filter(({ at }) => direction * comparePlaces(at, after) > 0)
  return page({
    rows: rest.slice(0, size + 1),
    size,
    item: ({ row }) => item(row),
    next: ({ at }) => cursors.seal(kind, at),
  })
}

/** Compares value by value: numbers as numbers, text by its code units. */
export function comparePlaces(a: readonly CursorValue[], b: readonly CursorValue[]): number {
  for (const [at, value] of a.entries()) {
    const other = b[at]
    if (value === other) continue
    if (typeof value === 'number' && typeof other === 'number') return value - other
    return String(value) < String(other) ? -1 : 1
  }
  return 0
}

/** Where a page begins: after this place, or so many rows after the start. */
type PageStart = { readonly after: readonly CursorValue[] | null; readonly skip: number }

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

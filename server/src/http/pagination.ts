import { type TProperties, type TSchema, Type } from 'typebox'
import type { CursorKind, CursorSealer, CursorValue } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Behaviour } from './versions.ts'

export type PageSizes = { readonly default: number; readonly max: number }
export const PAGE_SIZES: PageSizes = { default: 25, max: 100 }

/** The two query parameters of every list; spread into a list's query schema. */
export function pageQuery(sizes: PageSizes = PAGE_SIZES) {
  return {
    per_page: Type.Optional(
      Type.Integer({
        description: `The maximum number of rows in the page, ${sizes.default} by default. A number above ${sizes.max} counts as ${sizes.max}, and zero or less as ${sizes.default}.`,
      }),
    ),
    cursor: Type.Optional(
      Type.String({ description: "The previous page's meta.next_cursor, unchanged.", maxLength: 1_024 }),
    ),
  }
}

const META = {
  has_more: Type.Boolean({ description: 'Whether another page exists. Read pages until this is false.' }),
  page_count: Type.Integer({ description: 'Rows in this page.' }),
  next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'The opaque cursor of the next page, if any.' }),
}

/** `more`: additional fields of a list's meta. */
export function listOf<Row extends TSchema, More extends TProperties = Record<never, never>>(row: Row, more?: More) {
  return Type.Object({ data: Type.Array(row), meta: Type.Object({ ...META, ...(more as More) }) })
}

/** The specification's rule: more than the maximum is capped, zero or less means the default. */
export function pageSize(perPage: number | undefined, sizes: PageSizes = PAGE_SIZES): number {
  if (perPage === undefined || perPage < 1) return sizes.default
  return Math.min(perPage, sizes.max)
}

/** The position in a cursor; null on the first page. A cursor that this server did not seal gets 400. */
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
    public: 'The cursor is not from this list.',
    remediation: "Pass the previous page's meta.next_cursor unchanged, or leave the cursor out to start again.",
  })
}

type Page<Row, Item> = {
  /** The rows of the page, and one more row if there is one. The extra row shows that another page exists. */
  readonly rows: readonly Row[]
  readonly size: number
  readonly item: (row: Row) => Item
  /** The cursor of the page after this row. */
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

/** The maximum number of rows that a list returns in an older version, where it is not paged. */
const WHOLE_LIST_MAX = 10_000

export type PageRequest = { readonly per_page?: number | undefined; readonly cursor?: string | undefined }

/** Before the newest version some lists were not paged: without `per_page` (or `limit`) they return up to WHOLE_LIST_MAX rows. */
export function unpagedSize(perPage: number | undefined, lists: Behaviour['unpagedLists'], sizes = PAGE_SIZES): number {
  return perPage === undefined && lists === 'whole' ? WHOLE_LIST_MAX : pageSize(perPage, sizes)
}

type ShortList<Row, Item> = {
  /** All rows of the list, in any order. */
  readonly rows: readonly Row[]
  readonly query: PageRequest
  readonly lists: Behaviour['unpagedLists']
  readonly cursors: CursorSealer
  readonly kind: CursorKind
  /** The list's sort key. Its last value must be unique, so that a page can start after a deleted row. */
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

/** Where a page starts: after a place, or after a number of rows. */
type PageStart = { readonly after: readonly CursorValue[] | null; readonly skip: number }

/** Opens and makes the cursors of a list whose cursors count rows in older versions. */
export type PagePlaces = {
  readonly open: (cursor: string | undefined) => PageStart
  /** `rowsSoFar`: the rows of this page and of all pages before it. */
  readonly next: (place: readonly CursorValue[], rowsSoFar: number) => string
}

/** Cursors of older versions count rows. The newest version's cursor names the last row, so it stays correct while other rows change. */
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
/** The number is limited, because every row before the page is read again for each page. */
const COUNT_MAX = 100_000

/** How many rows an older cursor skips. */
export function countOf(cursor: string | undefined): number {
  if (cursor === undefined || cursor === '') return 0
  if (!COUNT.test(cursor)) throw notOurs("Pass the previous page's meta.next_cursor unchanged")
  const count = Number(cursor)
  if (count > COUNT_MAX) throw notOurs(`Numeric cursors end at ${COUNT_MAX}: continue with the newest version`)
  return count
}

function notOurs(whatToDo: string): ApiError {
  return new ApiError('invalid_request', {
    public: 'The cursor is not from this list.',
    remediation: `${whatToDo}, or leave the cursor out to start again.`,
  })
}

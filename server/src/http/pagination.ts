import { type TProperties, type TSchema, Type } from 'typebox'
import type { CursorKind, CursorSealer, CursorValue } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'

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
  if (cursor === undefined) return null
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

/** A list that is never long: all rows, one page. */
export function wholeList<Item>(items: readonly Item[]) {
  return { data: [...items], meta: { has_more: false, page_count: items.length, next_cursor: null } }
}

import type { Id } from '#kernel/ids.ts'
import type { Cursors, SyncPlace } from './cursors.ts'
import type { PageRow } from './page-store.ts'

/** A page as JSON text: `data` with its brackets, and what `meta` says of it. */
export type TextPage = {
  readonly data: string
  readonly meta: {
    readonly mode: 'bootstrap' | 'delta'
    readonly has_more: boolean
    readonly page_count: number
    readonly next_cursor: string
    readonly published_through: string
  }
}

/** JSON writes this character as an escape, so it is in no record. */
const BETWEEN_ROWS = '\x1e'

type Listing = { readonly size: number; readonly cursors: Cursors; readonly start: SyncPlace }

/** "The final page's cursor is a sync cursor positioned at the moment the listing started." */
export function listedPage(row: PageRow, { size, cursors, start }: Listing): TextPage {
  const records = cut(row.texts, BETWEEN_ROWS)
  const hasMore = records.length > size
  const shown = hasMore ? records.slice(0, size) : records
  const last = hasMore ? cut(row.places, ',')[size - 1] : undefined
  const next = last === undefined ? cursors.sync(start) : cursors.list({ ...start, after: last as Id<'investment'> })
  return pageOf(row, 'bootstrap', { data: `[${shown.join(',')}]`, count: shown.length, hasMore, next })
}

type Syncing = { readonly size: number; readonly cursors: Cursors; readonly from: SyncPlace }

/**
 * On the last page the cursor is where the ledger stood when the rows were read, not the last row: what was published
 * since the last row and concerns others has been seen as well, and an empty page moves on too.
 */
export function syncedPage(row: PageRow, { size, cursors, from }: Syncing): TextPage {
  const records = cut(row.texts, BETWEEN_ROWS)
  const hasMore = records.length > size
  const positions = cut(row.places, ',').slice(0, size).map(Number)
  const places = cursors.syncAt({ ...from, epoch: Number(row.epoch) }, positions)
  let data = '['
  for (const [at, cursor] of places.entries()) data += `${at === 0 ? '' : ','}${records[at]}${cursor}"}`
  const next = hasMore ? (places.at(-1) ?? '') : cursors.sync(placeOfHead(row))
  return pageOf(row, 'delta', { data: `${data}]`, count: places.length, hasMore, next })
}

/** Whoever has seen all there is. */
export function placeOfHead({ epoch, head, now }: PageRow): SyncPlace {
  return { epoch: Number(epoch), position: Number(head), asOf: Number(now), access: Number(head) }
}

function cut(text: string | null, at: string): string[] {
  return text === null ? [] : text.split(at)
}

type Made = { readonly data: string; readonly count: number; readonly hasMore: boolean; readonly next: string }

function pageOf(
  { published_at }: PageRow,
  mode: TextPage['meta']['mode'],
  { data, count, hasMore, next }: Made,
): TextPage {
  const meta = { mode, has_more: hasMore, page_count: count, next_cursor: next, published_through: published_at }
  return { data, meta }
}

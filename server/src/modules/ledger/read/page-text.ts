import type { Id } from '#kernel/ids.ts'
import { type Cursors, ROW_CURSOR_CHARS, type RowCursors, type SyncPlace } from './cursors.ts'
import type { PageRow } from './page-store.ts'

/** A page: the records as JSON, with commas between them, and what `meta` says of it. */
export type TextPage = {
  readonly data: Buffer
  readonly meta: {
    readonly mode: 'bootstrap' | 'delta'
    readonly has_more: boolean
    readonly page_count: number
    readonly next_cursor: string
    readonly published_through: string
  }
}

/** After the comma between two records. JSON writes it as an escape where it stands for itself, so it is in no record. */
const NEW_LINE = 0x0a
const NOTHING = Buffer.alloc(0)

type Listing = { readonly size: number; readonly cursors: Cursors; readonly start: SyncPlace }

/** "The final page's cursor is a sync cursor positioned at the moment the listing started." */
export function listedPage(row: PageRow, { size, cursors, start }: Listing): TextPage {
  const ids = placesOf(row)
  const texts = row.texts ?? NOTHING
  const hasMore = ids.length > size
  const last = hasMore ? ids[size - 1] : undefined
  const data = hasMore ? texts.subarray(0, texts.lastIndexOf(NEW_LINE) - 1) : texts
  const next = last === undefined ? cursors.sync(start) : cursors.list({ ...start, after: last as Id<'investment'> })
  return pageOf(row, 'bootstrap', { data, count: Math.min(ids.length, size), hasMore, next })
}

type Syncing = { readonly size: number; readonly cursors: Cursors; readonly from: SyncPlace }

/**
 * On the last page the cursor is where the ledger stood when the rows were read, not the last row: what was published
 * since the last row and concerns others has been seen as well, and an empty page moves on too.
 */
export function syncedPage(row: PageRow, { size, cursors, from }: Syncing): TextPage {
  const positions = placesOf(row)
  const hasMore = positions.length > size
  const shown = (hasMore ? positions.slice(0, size) : positions).map(Number)
  const epoch = Number(row.epoch)
  const sealed = cursors.ofRows(from.epoch === epoch ? from : { ...from, epoch, sealed: undefined }, shown)
  const data = writeCursors(row.texts ?? NOTHING, sealed, shown.length)
  const next = hasMore ? sealed.last() : cursors.sync(placeOfHead(row))
  return pageOf(row, 'delta', { data, count: shown.length, hasMore, next })
}

/** Into the room that each record ends with; of the first so many records. */
function writeCursors(texts: Buffer, cursors: RowCursors, count: number): Buffer {
  let end = -SEPARATOR_BYTES
  for (let row = 0; row < count; row++) {
    const newLine = texts.indexOf(NEW_LINE, end + SEPARATOR_BYTES)
    end = newLine === -1 ? texts.length : newLine - 1
    cursors.write(row, texts, end - ROW_CURSOR_CHARS - AFTER_CURSOR_BYTES)
  }
  return texts.subarray(0, Math.max(end, 0))
}

const SEPARATOR_BYTES = ',\n'.length
const AFTER_CURSOR_BYTES = '"}'.length

/** Whoever has seen all there is. */
export function placeOfHead({ epoch, head, now }: PageRow): SyncPlace {
  return { epoch: Number(epoch), position: Number(head), asOf: Number(now), access: Number(head) }
}

function placesOf({ places }: PageRow): string[] {
  return places === null ? [] : places.split(',')
}

type Made = { readonly data: Buffer; readonly count: number; readonly hasMore: boolean; readonly next: string }

function pageOf(
  { published_at }: PageRow,
  mode: TextPage['meta']['mode'],
  { data, count, hasMore, next }: Made,
): TextPage {
  const meta = { mode, has_more: hasMore, page_count: count, next_cursor: next, published_through: published_at }
  return { data, meta }
}

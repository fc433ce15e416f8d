import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { readFacts } from '../derive/facts-store.ts'
import { DERIVATION, isSameOpenPart, isSameRecord, renderRecord } from '../derive/record.ts'
import type { Audience } from './audience.ts'
import { rejectChangedAccess, rejectOld } from './cursor-expiry.ts'
import { type Cursors, type ListPlace, ROW_CURSOR_CHARS, type RowCursors, type SyncPlace } from './cursors.ts'
import { allKnown } from './known-store.ts'
import { type Filters, filterNames, narrow } from './list-request.ts'
import { type PageRow, placeNow, readPage } from './page-store.ts'
import { findPublished } from './store.ts'

/** The parameters of a page. */
export type Reading = {
  readonly audience: Audience
  readonly filters: Filters
  readonly size: number
  /** Whether other investors are shown by name. */
  readonly pii: boolean
  /** The `reason` of a record that was published again because the derivation changed. */
  readonly republished: string
  readonly cursors: Cursors
  /** Checks the other columns of the page row before anything is returned. */
  readonly inspect?: (row: PageRow) => Promise<void>
  /** Which companies count for changes of access: all of the caller's, or only the requested one. */
  readonly accessTo?: 'all' | 'requested'
}

/** "List: current records, tombstones excluded, ordered by investment." From the beginning if no place is given. */
export async function listRecords(db: WorldDatabase, reading: Reading, place: ListPlace | null): Promise<TextPage> {
  const row = await readRow(db, reading, { mode: 'list', after: place?.after ?? '' })
  if (place !== null) rejectUnlessCurrent(row, reading, place)
  // Each page shows the records as they are when it is read. A later sync returns all changes since the first page.
  const start = place ?? placeOfHead(row)
  if (mayBeUnknown(reading, row)) await rejectUnknown(db, reading)
  return listedPage(row, { size: reading.size, cursors: reading.cursors, start })
}

/** "Only records whose published state changed since the cursor; one record per investment; tombstones included." */
export async function syncRecords(db: WorldDatabase, reading: Reading, place: SyncPlace): Promise<TextPage> {
  let from = place
  let row = await readRow(db, reading, { mode: 'sync', after: from.position })
  if (Number(row.epoch) !== from.epoch) {
    from = await placeNow(db.reads, place)
    row = await readRow(db, reading, { mode: 'sync', after: from.position })
  }
  rejectUnlessCurrent(row, reading, from)
  if (mayBeUnknown(reading, row)) await rejectUnknown(db, reading)
  return syncedPage(row, { size: reading.size, cursors: reading.cursors, from })
}

type From = { readonly mode: 'list'; readonly after: string } | { readonly mode: 'sync'; readonly after: number }

async function readRow(db: WorldDatabase, reading: Reading, { mode, after }: From): Promise<PageRow> {
  const { audience, filters } = narrow(reading.audience, reading.filters)
  // `named` selects one of two statements. It does not decide whether a listing shows identities: the statement of a
  // listing gets `pii` as a value.
  const named = mode === 'list' || audience.kind === 'own' || reading.pii
  const kind = { mode, audience: audience.kind, filters: filterNames(filters), named }
  const row = await readPage(db, kind, {
    ...filters,
    ...(audience.kind === 'company' ? { company: audience.company } : { user: audience.user }),
    after,
    // One more than is shown, to know whether another page follows.
    limit: reading.size + 1,
    pii: reading.pii,
    republished: reading.republished,
  })
  if (reading.inspect !== undefined) await reading.inspect(row)
  return row
}

function rejectUnlessCurrent(row: PageRow, { accessTo = 'all' }: Reading, place: SyncPlace): void {
  rejectOld(place.asOf, Number(row.now))
  const changed = accessTo === 'all' ? row.changed : row.changedHere
  rejectChangedAccess(place.access, changed === null ? null : Number(changed))
}

/** If a record was returned, the ids in the filters are known. Only an empty page needs a lookup. */
function mayBeUnknown({ filters }: Reading, { texts }: PageRow): boolean {
  return texts === null && filterNames(filters).some((name) => name !== 'status')
}

async function rejectUnknown(db: WorldDatabase, { audience, filters }: Reading): Promise<void> {
  if (!(await allKnown(db.reads, audience, filters))) throw notFound('a filter names nothing in this audience')
}

/** The records as JSON with commas between them, and the fields of `meta`. */
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

/** Follows the comma between two records. JSON escapes this character, so no record contains it. */
const NEW_LINE = 0x0a
const NOTHING = Buffer.alloc(0)

type Listing = { readonly size: number; readonly cursors: Cursors; readonly start: SyncPlace }

/** "The final page's cursor is a sync cursor positioned at the moment the listing started." */
function listedPage(row: PageRow, { size, cursors, start }: Listing): TextPage {
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
 * The cursor of the last page points to the end of the ledger at the time of the read, not to the last row: all changes
 * after that row are for other readers, or a filter leaves them out. So an empty page moves the cursor too.
 */
function syncedPage(row: PageRow, { size, cursors, from }: Syncing): TextPage {
  const positions = placesOf(row)
  const hasMore = positions.length > size
  const shown = (hasMore ? positions.slice(0, size) : positions).map(Number)
  const epoch = Number(row.epoch)
  const sealed = cursors.ofRows(from.epoch === epoch ? from : { ...from, epoch, sealed: undefined }, shown)
  const data = writeCursors(row.texts ?? NOTHING, sealed, shown.length)
  const next = hasMore ? sealed.last() : cursors.sync(placeOfHead(row))
  return pageOf(row, 'delta', { data, count: shown.length, hasMore, next })
}

/** Writes the cursors of the first `count` records into the space at the end of each. */
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

/** The place of a reader that has seen everything. */
function placeOfHead({ epoch, head, now }: PageRow): SyncPlace {
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

type Reader = { readonly audience: Audience; readonly pii: boolean }

/** A record as text, and whether the published state of the record is equal. */
type CurrentRecord = {
  readonly data: string
  readonly meta: {
    readonly source: 'current'
    readonly published_matches: boolean
    readonly published_observed_at?: string
  }
}

/**
 * "Returns the same record shape derived at the time of the request. A user always sees their own investment." Of the
 * investments of other people, a reader gets only those that a company in its audience sees; the rest get 404.
 */
export async function getInvestment(
  queries: WorldQueries,
  { audience, pii }: Reader,
  id: Id<'investment'>,
): Promise<CurrentRecord> {
  const user = audience.kind === 'company' ? null : audience.user
  const [[facts], { published, now, edits }] = await Promise.all([
    readFacts(queries, [id]),
    findPublished(queries, id, user),
  ])
  if (facts === undefined) throw notFound(`${id} is unknown`)
  const isOwn = facts.investor === user
  const isEdited = audience.kind === 'company' ? facts.company === audience.company : audience.kind === 'union' && edits
  const record = DERIVATION.derive(facts)
  if (!isOwn && !(isEdited && record.visible)) throw notFound(`${id} is not for this audience`)
  const text = renderRecord(record, now)
  const named = isOwn || pii
  // A reader without identity must not learn that the identity changed, or when.
  const isSame = named ? isSameRecord : isSameOpenPart
  return {
    data: `${text.body}${named ? text.identity : '}'}}`,
    meta: {
      source: 'current',
      published_matches: published !== null && isSame(published, text),
      ...(published === null ? {} : { published_observed_at: named ? published.observedAt : published.openObservedAt }),
    },
  }
}

import { notFound } from '#kernel/errors.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { refuseChangedAccess, refuseOld } from './age.ts'
import { type Filters, filterNames, narrow } from './asked.ts'
import type { Audience } from './audience.ts'
import type { Cursors, ListPlace, SyncPlace } from './cursors.ts'
import { allKnown } from './known-store.ts'
import { type PageRow, readPage } from './page-store.ts'
import { listedPage, placeOfHead, syncedPage, type TextPage } from './page-text.ts'
import { placeNow } from './position-store.ts'

/** What a page is read for. */
export type Reading = {
  readonly audience: Audience
  readonly filters: Filters
  readonly size: number
  /** Whether other investors are shown by name. */
  readonly pii: boolean
  /** The word for a record that was published again because the derivation changed. */
  readonly republished: string
  readonly cursors: Cursors
  /** What else the row of the page says is looked at by whoever asked, before anything is given out. */
  readonly inspect?: (row: PageRow) => Promise<void>
  /** Which companies matter for whether access changed: all of the caller's, or those asked for. */
  readonly accessTo?: 'all' | 'asked'
}

/** "List: current records, tombstones excluded, ordered by investment." From the beginning where no place is given. */
export async function listRecords(db: WorldDatabase, reading: Reading, place: ListPlace | null): Promise<TextPage> {
  const row = await readRow(db, reading, { mode: 'list', after: place?.after ?? '' })
  if (place !== null) refuseUnlessCurrent(row, reading, place)
  // The listing stands on the moment of its first page: whatever was published since then comes by sync.
  const start = place ?? placeOfHead(row)
  if (mayBeUnknown(reading, row)) await refuseUnknown(db, reading)
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
  refuseUnlessCurrent(row, reading, from)
  if (mayBeUnknown(reading, row)) await refuseUnknown(db, reading)
  return syncedPage(row, { size: reading.size, cursors: reading.cursors, from })
}

type From = { readonly mode: 'list'; readonly after: string } | { readonly mode: 'sync'; readonly after: number }

async function readRow(db: WorldDatabase, reading: Reading, { mode, after }: From): Promise<PageRow> {
  const { audience, filters } = narrow(reading.audience, reading.filters)
  const named = mode === 'list' || audience.kind === 'own' || reading.pii
  const kind = { mode, audience: audience.kind, filters: filterNames(filters), named }
  const row = await readPage(db, kind, {
    ...filters,
    ...(audience.kind === 'company' ? { company: audience.company } : { user: audience.user }),
    after,
    // One more than is shown: it says that there is another page.
    limit: reading.size + 1,
    pii: reading.pii,
    republished: reading.republished,
  })
  if (reading.inspect !== undefined) await reading.inspect(row)
  return row
}

function refuseUnlessCurrent(row: PageRow, { accessTo = 'all' }: Reading, place: SyncPlace): void {
  refuseOld(place.asOf, Number(row.now))
  const changed = accessTo === 'all' ? row.changed : row.changedHere
  refuseChangedAccess(place.access, changed === null ? null : Number(changed))
}

/** What a record carries is known; only where there is none does anybody have to look. */
function mayBeUnknown({ filters }: Reading, { texts }: PageRow): boolean {
  return texts === null && filterNames(filters).some((name) => name !== 'status')
}

async function refuseUnknown(db: WorldDatabase, { audience, filters }: Reading): Promise<void> {
  if (!(await allKnown(db.reads, audience, filters))) throw notFound('a filter names nothing in this audience')
}

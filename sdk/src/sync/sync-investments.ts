import type { Investment, Operations } from '../api-types.ts'
import type { Client } from '../client.ts'
import { GoneError, PorticoError } from '../errors.ts'

/** The filters of `GET /investments` that a copy can use. */
export type InvestmentFilters = Pick<
  NonNullable<Operations['GET /investments']['query']>,
  'company_id' | 'offering_id' | 'investor_id'
>

/** How far a copy has read. A store saves it in the same transaction as the rows. */
export type SyncState = {
  /** Increases by one with each page and with each new listing. A store rejects a page whose `from` is not its latest state. */
  readonly version: number
  /** `listing` until the last page of a listing was applied, then `syncing`. */
  readonly phase: 'listing' | 'syncing'
  /** Null before the first page of a listing. */
  readonly cursor: string | null
  /** The number of the current listing. When a listing is complete, the rows of older listings are removed. */
  readonly listing: number
  /** The filters as JSON. All runs of a copy use the same filters. */
  readonly filters: string
}

/** One page. A store applies all of it or nothing. */
export type SyncPage = {
  readonly from: SyncState
  readonly to: SyncState
  readonly records: readonly Investment[]
  /** The ids of the rows to remove. */
  readonly removed: readonly string[]
  /** Whether to remove the rows of older listings now. */
  readonly endsListing: boolean
}

/** Stores a copy of investments. `sqliteStore()`, `postgresStore()` and `ndjsonStore()` create one. */
export type InvestmentStore = {
  /** Returns undefined if nothing is stored yet. */
  load(): Promise<SyncState | undefined>
  /** Writes rows and state in one transaction. Throws `conflictingSync()` if the state is no longer `page.from`. */
  apply(page: SyncPage): Promise<void>
  /** Called after the last page of a run. */
  finish?(): Promise<void>
}

export type SyncProgress = {
  readonly phase: SyncState['phase']
  readonly pages: number
  readonly stored: number
  readonly removed: number
}

export type SyncOptions = {
  readonly client: Pick<Client, 'get'>
  readonly store: InvestmentStore
  readonly filters?: InvestmentFilters
  /** Rows per page. Default and maximum: 100. */
  readonly pageSize?: number
  readonly signal?: AbortSignal
  /** Called after each page that was stored. */
  readonly onProgress?: (progress: SyncProgress) => void
}

export type SyncResult = SyncProgress & {
  /** Whether this run listed investments: the copy was new, an earlier listing was incomplete, or the service answered 410. */
  readonly listed: boolean
  readonly cursor: string
}

/**
 * Brings a copy up to date: the first run lists all investments, and each later run requests the changes since the run before.
 * If a run is stopped, the next run continues after the last page that was stored. After a 410 the run lists all investments
 * again. It removes the old rows when that listing is complete.
 */
export async function syncInvestments({
  client,
  store,
  filters = {},
  pageSize = 100,
  signal,
  onProgress,
}: SyncOptions): Promise<SyncResult> {
  const read = (cursor: string | null) => {
    const query = { ...filters, per_page: pageSize, ...(cursor !== null && { cursor }) }
    return client.get('/investments', { query, ...(signal !== undefined && { signal }) })
  }
  let state = await startingState(store, filters)
  let listed = state.phase === 'listing'
  const totals = { pages: 0, stored: 0, removed: 0 }
  for (;;) {
    const page = await readUnlessGone(read, state)
    if (page === 'gone') {
      state = await startListing(store, state)
      listed = true
      continue
    }
    const next = await applyPage(store, state, page)
    totals.pages++
    totals.stored += next.stored
    totals.removed += next.removed
    onProgress?.({ phase: state.phase, ...totals })
    // The last cursor of a listing returns the changes since the start of the listing, so the loop continues with them.
    const isComplete = !page.meta.has_more && state.phase === 'syncing'
    state = next.state
    if (isComplete) break
  }
  await store.finish?.()
  return { ...totals, phase: state.phase, listed, cursor: state.cursor ?? '' }
}

/** Creates the error that a store throws if another run has written to it meanwhile. */
export function conflictingSync(): PorticoError {
  return new PorticoError(
    'Another sync has written to this copy meanwhile. Run one sync at a time: the next one continues after the last stored page.',
  )
}

async function startingState(store: InvestmentStore, filters: InvestmentFilters): Promise<SyncState> {
  const text = JSON.stringify(Object.fromEntries(Object.entries(filters).sort()))
  const stored = await store.load()
  if (stored !== undefined && stored.filters !== text) {
    throw new PorticoError(
      `This copy was made with the filters ${stored.filters}, not ${text}. Use another store for these.`,
    )
  }
  return stored ?? { version: 0, phase: 'listing', cursor: null, listing: 1, filters: text }
}

type InvestmentPage = Operations['GET /investments']['response']

async function readUnlessGone(
  read: (cursor: string | null) => Promise<InvestmentPage>,
  { cursor }: SyncState,
): Promise<InvestmentPage | 'gone'> {
  try {
    return await read(cursor)
  } catch (error) {
    if (error instanceof GoneError && cursor !== null) return 'gone'
    throw error
  }
}

async function startListing(store: InvestmentStore, from: SyncState): Promise<SyncState> {
  const to: SyncState = {
    ...from,
    version: from.version + 1,
    phase: 'listing',
    cursor: null,
    listing: from.listing + 1,
  }
  await store.apply({ from, to, records: [], removed: [], endsListing: false })
  return to
}

async function applyPage(store: InvestmentStore, from: SyncState, { data, meta }: InvestmentPage) {
  const records = data.filter((row) => !isTombstone(row)).map(withoutPlace)
  const removed = data.filter(isTombstone).map(({ id }) => id)
  const endsListing = from.phase === 'listing' && !meta.has_more
  const phase = endsListing ? 'syncing' : from.phase
  const state: SyncState = { ...from, version: from.version + 1, phase, cursor: meta.next_cursor }
  await store.apply({ from, to: state, records, removed, endsListing })
  return { state, stored: records.length, removed: removed.length }
}

/** Whether the record is a tombstone. An investor’s own hidden record has `visible: false` too, but has all its fields. */
function isTombstone({ visible, status }: Investment): boolean {
  return !visible && status === undefined
}

/** Removes the fields that belong to the page, so that the copy is the same however a record was received. */
function withoutPlace({ cursor: _, reason: __, ...record }: Investment): Investment {
  return record
}

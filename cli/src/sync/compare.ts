import { createHash } from 'node:crypto'
import { type Api, type InvestmentStore, type SyncOptions, type SyncState, syncInvestments } from '@portico/sdk'

/** A digest of each record of a copy, by the record's id. Digests need less memory than the records. */
export type Digests = ReadonlyMap<string, string>

/** How investments are read from the service, for a copy and for the listing that is compared with it. */
export type Reading = Pick<SyncOptions, 'client' | 'filters' | 'signal' | 'onProgress'>

/** A copy that stores only digests, in memory. It is filled like any other copy, by a listing and the changes after it. */
export class DigestCopy implements InvestmentStore {
  readonly #rows = new Map<string, { readonly digest: string; readonly listing: number }>()
  #state: SyncState | undefined
  readonly counts = { changes: 0, tombstones: 0 }

  load: InvestmentStore['load'] = async () => this.#state

  apply: InvestmentStore['apply'] = async ({ from, to, records, removed, endsListing }) => {
    if (from.phase === 'syncing') this.counts.changes += records.length + removed.length
    this.counts.tombstones += removed.length
    for (const record of records) this.#rows.set(record.id, { digest: digestOf(record), listing: to.listing })
    for (const id of removed) this.#rows.delete(id)
    if (endsListing) for (const [id, { listing }] of this.#rows) if (listing < to.listing) this.#rows.delete(id)
    this.#state = to
  }

  digests(): Digests {
    return new Map([...this.#rows].map(([id, { digest }]) => [id, digest]))
  }
}

export async function digestsOf(records: AsyncIterable<string>): Promise<Digests> {
  const digests = new Map<string, string>()
  for await (const text of records) {
    const record: Api.Investment = JSON.parse(text)
    digests.set(record.id, digestOf(record))
  }
  return digests
}

/** The copy and the service may change during a comparison, so a difference counts only if every comparison finds it. */
const COMPARISONS = 5

export type Differences = {
  /** The ids that the copy lacks. */
  readonly missing: readonly string[]
  readonly surplus: readonly string[]
  readonly different: readonly string[]
  /** How many records a new listing has. */
  readonly listed: number
}

/** Compares a copy with a new listing. `read` brings the copy up to date and returns its digests. */
export async function compareWithListing(reading: Reading, read: () => Promise<Digests>): Promise<Differences> {
  const fresh = new DigestCopy()
  const readBoth = async () => {
    await syncInvestments({ ...reading, store: fresh })
    const copy = await read()
    await syncInvestments({ ...reading, store: fresh })
    return { copy, listing: fresh.digests() }
  }
  let pair = await readBoth()
  let differentIds = idsOfDifferences(pair.copy, pair.listing)
  for (let times = 1; times < COMPARISONS && differentIds.size > 0; times++) {
    pair = await readBoth()
    const stillDifferent = idsOfDifferences(pair.copy, pair.listing)
    differentIds = new Set([...differentIds].filter((id) => stillDifferent.has(id)))
  }
  const { copy, listing } = pair
  const ids = [...differentIds].sort()
  return {
    missing: ids.filter((id) => !copy.has(id)),
    surplus: ids.filter((id) => !listing.has(id)),
    different: ids.filter((id) => copy.has(id) && listing.has(id)),
    listed: listing.size,
  }
}

function idsOfDifferences(copy: Digests, listing: Digests): Set<string> {
  const ids = new Set([...copy.keys(), ...listing.keys()])
  return new Set([...ids].filter((id) => copy.get(id) !== listing.get(id)))
}

/** Sorts the fields first: their order has no meaning, and PostgreSQL's jsonb changes it. */
function digestOf({ cursor: _, reason: __, ...record }: Api.Investment): string {
  const text = JSON.stringify(record, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
  return createHash('sha256').update(text).digest('base64')
}

import { createHash } from 'node:crypto'
import { type Api, type InvestmentStore, type SyncOptions, type SyncState, syncInvestments } from '@portico/sdk'

/** A digest of each record of a copy, by its id. A hundred thousand records take a few megabytes. */
export type Digests = ReadonlyMap<string, string>

/** How a copy is read from the service; the same for a copy and for the listing that it is compared with. */
export type Reading = Pick<SyncOptions, 'client' | 'filters' | 'signal' | 'onProgress'>

/** A copy that stores only digests, in memory. A listing and the changes after it fill it like any other copy. */
export class DigestCopy implements InvestmentStore {
  readonly #rows = new Map<string, { readonly digest: string; readonly listing: number }>()
  #state: SyncState | undefined
  readonly seen = { changes: 0, tombstones: 0 }

  load: InvestmentStore['load'] = async () => this.#state

  apply: InvestmentStore['apply'] = async ({ from, to, records, removed, endsListing }) => {
    if (from.phase === 'syncing') this.seen.changes += records.length + removed.length
    this.seen.tombstones += removed.length
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

/** Both sides change during a comparison, so a difference counts only if every comparison finds it. */
const COMPARISONS = 5

export type Differences = {
  /** Ids, by the kind of difference. */
  readonly missing: readonly string[]
  readonly surplus: readonly string[]
  readonly different: readonly string[]
  /** How many records a new listing has. */
  readonly listed: number
}

/** Compares a copy with a new listing. `read` brings the copy up to date and returns its digests. */
export async function compareWithListing(reading: Reading, read: () => Promise<Digests>): Promise<Differences> {
  const fresh = new DigestCopy()
  const once = async () => {
    await syncInvestments({ ...reading, store: fresh })
    const copy = await read()
    await syncInvestments({ ...reading, store: fresh })
    return { copy, listing: fresh.digests() }
  }
  let sides = await once()
  let wrong = differing(sides.copy, sides.listing)
  for (let times = 1; times < COMPARISONS && wrong.size > 0; times++) {
    sides = await once()
    const now = differing(sides.copy, sides.listing)
    wrong = new Set([...wrong].filter((id) => now.has(id)))
  }
  const { copy, listing } = sides
  const ids = [...wrong].sort()
  return {
    missing: ids.filter((id) => !copy.has(id)),
    surplus: ids.filter((id) => !listing.has(id)),
    different: ids.filter((id) => copy.has(id) && listing.has(id)),
    listed: listing.size,
  }
}

function differing(copy: Digests, listing: Digests): Set<string> {
  const ids = new Set([...copy.keys(), ...listing.keys()])
  return new Set([...ids].filter((id) => copy.get(id) !== listing.get(id)))
}

/** The order of fields has no meaning, and PostgreSQL's jsonb changes it. */
function digestOf({ cursor: _, reason: __, ...record }: Api.Investment): string {
  const text = JSON.stringify(record, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
  return createHash('sha256').update(text).digest('base64')
}

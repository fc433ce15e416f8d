import { createHash } from 'node:crypto'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import {
  type DigestedEntry,
  findEnd,
  insertDigests,
  type Link,
  listLinks,
  listOutside,
  listUnchained,
  lockChain,
} from './chain-store.ts'

/** The previous digest of the first link. */
const FIRST_DIGEST = Buffer.alloc(32)

/** SHA-256 over the previous digest and the entry, so a change of any entry changes every later digest. */
function digestAfter(before: Buffer, entry: DigestedEntry): Buffer {
  const { id, at, actor, action, subject, details, by_operator, request_id, reason_digest } = entry
  const text = JSON.stringify([id, at, actor, action, subject, details, by_operator, request_id, reason_digest])
  return createHash('sha256').update(before).update(text).digest()
}

function reasonDigest(salt: Buffer, reason: string): Buffer {
  return createHash('sha256').update(salt).update(reason, 'utf8').digest()
}

/**
 * Adds digests for up to `limit` entries and returns how many. Transactions that write entries never wait for this function,
 * because they write no digests. A later round adds entries that are committed late. If several workers run at once, one of them works
 * and the others return 0.
 */
export async function chainAudit(tx: PlatformTx, limit: number): Promise<number> {
  if (!(await lockChain(tx))) return 0
  const entries = await listUnchained(tx, limit)
  if (entries.length === 0) return 0
  const end = await findEnd(tx)
  let digest = end?.digest ?? FIRST_DIGEST
  const digests: string[] = []
  for (const entry of entries) {
    digest = digestAfter(digest, entry)
    digests.push(digest.toString('hex'))
  }
  const ids = entries.map(({ id }) => id)
  await insertDigests(tx, { after: end?.position ?? '0', ids, digests })
  return entries.length
}

export const FINDING_KINDS = ['changed', 'reason_changed', 'removed', 'inserted', 'digest_removed'] as const

export type Finding = {
  readonly entry: string
  /** `digest_removed`: a link of the chain itself is missing. Then `entry` is the entry of the next link. */
  readonly kind: (typeof FINDING_KINDS)[number]
}

export type Verification = {
  readonly entries: number
  /** Entries that the worker has yet to add to the chain. */
  readonly waiting: number
  readonly findings: readonly Finding[]
  /** `position:digest` of the last link; null for an empty chain. */
  readonly end: string | null
  /** Whether the end that an earlier verification returned is still in the chain; null if the caller passed no such end. */
  readonly knowsEarlierEnd: boolean | null
}

const BATCH = 1_000
/** No transaction that writes an entry lasts longer than this. */
const LATE_US = 10n * 60n * 1_000_000n
const WAITING_MAX = 100_000

/** A position, a colon and 64 hexadecimal digits. Anything else is a mistake of the caller, not a sign of a changed chain. */
export const CHAIN_END = /^[1-9][0-9]{0,18}:[0-9a-f]{64}$/

/**
 * Computes every digest again. After a wrong digest it continues from the stored digest, so that it reports only the changed entry and not
 * all later entries. A person who may write to the database can also write a completely new chain. So compare the chain with an end that an
 * earlier verification returned and that was stored elsewhere (`earlierEnd`).
 */
export async function verifyAudit(queries: PlatformQueries, earlierEnd: string | null = null): Promise<Verification> {
  const walk = new ChainWalk(earlierEnd)
  for (let after = '0'; ; ) {
    const links = await listLinks(queries, after, BATCH)
    for (const link of links) walk.take(link)
    const last = links.at(-1)
    if (last === undefined || links.length < BATCH) break
    after = last.position
  }
  const outside = await listOutside(queries, WAITING_MAX)
  const inserted = outside
    .filter(({ passed_by }) => passed_by)
    .map(({ id }): Finding => ({ entry: id, kind: 'inserted' }))
  return { ...walk.result(), waiting: outside.length - inserted.length, findings: [...walk.findings, ...inserted] }
}

class ChainWalk {
  readonly findings: Finding[] = []
  #entries = 0
  #digest: Buffer = FIRST_DIGEST
  #position = 0n
  #highestId = 0n
  #highestAtUs = 0n
  /** The time of the round in which the worker added the link that is being read. `#earlierRoundUs` is the time of the round before it. */
  #roundUs = 0n
  #earlierRoundUs = 0n
  #knowsEarlierEnd: boolean | null
  readonly #earlierEnd: string | null

  constructor(earlierEnd: string | null) {
    this.#earlierEnd = earlierEnd
    this.#knowsEarlierEnd = earlierEnd === null ? null : false
  }

  take(link: Link): void {
    const { entry, entry_id: id, digest } = link
    if (BigInt(link.position) !== this.#position + 1n) this.#find(id, 'digest_removed')
    else if (entry === null) this.#find(id, 'removed')
    else if (!digestAfter(this.#digest, entry).equals(digest)) this.#find(id, 'changed')
    if (entry !== null) this.#takeEntry(link)
    this.#digest = digest
    this.#position = BigInt(link.position)
    if (this.#end() === this.#earlierEnd) this.#knowsEarlierEnd = true
  }

  #takeEntry({ entry_id, at_us, chained_us, reason, reason_salt, entry }: Link): void {
    this.#entries++
    if (reason !== null && reason_salt !== null) {
      const isSame = reasonDigest(reason_salt, reason).toString('hex') === entry?.reason_digest
      if (!isSame) this.#find(entry_id, 'reason_changed')
    }
    const [id, at, chained] = [BigInt(entry_id), BigInt(at_us ?? 0), BigInt(chained_us)]
    if (chained !== this.#roundUs) [this.#earlierRoundUs, this.#roundUs] = [this.#roundUs, chained]
    if (this.#isForged(id, at)) this.#find(entry_id, 'inserted')
    if (id <= this.#highestId) return
    this.#highestId = id
    this.#highestAtUs = at
  }

  /**
   * Ids and times increase together. If an entry has a new id and an old time, its time is forged. If it has an old id and a new time, it
   * was inserted later. An entry whose time is before the earlier round was inserted later too: that round would have added its digest.
   */
  #isForged(id: bigint, at: bigint): boolean {
    if (id > this.#highestId) return at < this.#highestAtUs - LATE_US
    return at > this.#highestAtUs + LATE_US || at < this.#earlierRoundUs - LATE_US
  }

  #find(entry: string, kind: Finding['kind']): void {
    this.findings.push({ entry, kind })
  }

  #end(): string | null {
    return this.#position === 0n ? null : `${this.#position}:${this.#digest.toString('hex')}`
  }

  result() {
    return { entries: this.#entries, end: this.#end(), knowsEarlierEnd: this.#knowsEarlierEnd }
  }
}

import {
  type Change,
  findChanges,
  type OneChange,
  putBackChanges,
  type Share,
  setAside,
  takeChanges,
} from '#events/changes/index.ts'
import type { Id } from '#kernel/ids.ts'
import { type AccessChange, placeAccessChanges } from '#market/companies/index.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { DERIVATION, type Derivation } from '../derive/record.ts'
import { type LockedLedger, lockToPublish } from './ledger.ts'
import { advanceLedger, glanceAtLedger } from './ledger-store.ts'
import { publishRecords, within } from './publish-records.ts'
import { findConcerned, nextInvestments } from './store.ts'

/** One by one takes longer: what comes after these is tried together again. */
const SINGLES: Batch = { derivation: DERIVATION, limit: 250 }

/**
 * Small, and with a pause after each: every record that moves leaves a dead row behind in the indexes that readers walk
 * along, and vacuum has to keep up.
 */
const REPUBLISH_LIMIT = 100

/**
 * One batch of what has changed. True when there may be more. A batch that fails for what is in it is gone through row by
 * row, so that one row that cannot be published never stops the ledger. `size` is what this publisher has learnt so far.
 */
export async function publishRound(db: WorldDatabase, size = new BatchSize()): Promise<boolean> {
  const { waiting, retrying } = await glanceAtLedger(db)
  const more = waiting && (await publishBatch(db, size))
  if (retrying) await publishSingly(db, 'due', SINGLES)
  return more
}

async function publishBatch(db: WorldDatabase, size: BatchSize): Promise<boolean> {
  const began = performance.now()
  const batch: Batch = { derivation: DERIVATION, limit: size.limit, beside: db.beside }
  try {
    const taken = await db.transaction((tx) => publishChanges(tx, batch))
    if (taken !== null) size.published(taken, performance.now() - began)
    return taken !== null
  } catch (error) {
    size.failed()
    if (!isOfTheRow(error)) throw error
    await publishSingly(db, 'first', SINGLES)
    return true
  }
}

/**
 * Behind the changes, which come first: one batch of republishing, if a new derivation asks for it. Also says from time
 * to time that a publisher of this derivation is there, so that an older one keeps out of its way.
 */
export async function republishRound(db: WorldDatabase): Promise<boolean> {
  const glance = await glanceAtLedger(db)
  if (glance.waiting) return glance.republishing
  const due = glance.republishing || glance.derivation_version !== DERIVATION.version || glance.unattended
  return due && (await republishBatch(db, REPUBLISH_LIMIT))
}

/** Of a batch that fails one is taken; and if that one fails it is left to the list of changes, where it can be set aside. */
async function republishBatch(db: WorldDatabase, limit: number): Promise<boolean> {
  const batch = { derivation: DERIVATION, limit }
  try {
    return await db.transaction((tx) => republish(tx, batch))
  } catch (error) {
    if (!isOfTheRow(error)) throw error
    return limit > 1 ? republishBatch(db, 1) : db.transaction((tx) => leaveToChanges(tx, batch))
  }
}

/**
 * Goes through what was published by an older derivation, a batch at a time, and publishes what now reads otherwise:
 * "when the derivation's version rises, only records whose published form differs are republished, with reason
 * `recomputed`". True while there is more.
 */
export async function republish(tx: Tx, { derivation, limit }: Batch): Promise<boolean> {
  const ledger = await lockToPublish(tx, derivation)
  if (ledger === null) return false
  const { investments, reached } = await nextBatch(tx, ledger, limit)
  const position = await publishRecords(tx, { ledger, derivation, investments, cause: 'derivation', beside: within })
  await advanceLedger(tx, { ...ledger, position, republish_after: reached })
  return reached !== null
}

/** Gets past what cannot be published: it is looked at again as something that changed. */
async function leaveToChanges(tx: Tx, { derivation, limit }: Batch): Promise<boolean> {
  const ledger = await lockToPublish(tx, derivation)
  if (ledger === null) return false
  const { investments, reached } = await nextBatch(tx, ledger, limit)
  await putBackChanges(
    tx,
    investments.map((id) => ({ kind: 'investment', id, after: '', company: null })),
  )
  await advanceLedger(tx, { ...ledger, republish_after: reached })
  return reached !== null
}

/** What comes next, and where that ends; null when it is all there was. */
async function nextBatch(tx: Tx, { republish_after: after }: LockedLedger, limit: number) {
  const investments = after === null ? [] : await nextInvestments(tx, after, limit)
  return { investments, reached: investments.length < limit ? null : (investments.at(-1) ?? null) }
}

/** After this many failures the rest waits for the next round: if everything fails, the cause is not one row. */
const FAILURES_MAX = 10

/**
 * For a batch that could not be published: each row of it by itself, in a transaction of its own. What fails alone is set
 * aside, stays on the list and is tried again from time to time; it holds up nothing but itself. Ends with an error that
 * names it, so that the failure is logged and counted.
 */
async function publishSingly(db: WorldDatabase, which: 'first' | 'due', batch: Batch): Promise<void> {
  const failures: { readonly single: OneChange; readonly error: unknown }[] = []
  for (const single of await findChanges(db.reads, which, batch.limit)) {
    const error = await failureOf(db, single, batch)
    if (error === null) continue
    await db.transaction((tx) => setAside(tx, single.seq))
    if (failures.push({ single, error }) === FAILURES_MAX) break
  }
  if (failures.length === 0) return
  const names = failures.map(({ single }) => `${single.kind} ${single.id}`).join(', ')
  throw new Error(`could not be published and was set aside: ${names}`, { cause: failures[0]?.error })
}

async function failureOf(db: WorldDatabase, { seq, kind }: OneChange, batch: Batch): Promise<unknown> {
  const isOne = kind === 'investment' || kind === 'access'
  try {
    await (isOne
      ? db.transaction((tx) => publishChanges(tx, { ...batch, only: seq }))
      : db.transaction((tx) => spread(tx, seq, batch)))
    return null
  } catch (error) {
    if (!isOfTheRow(error)) throw error
    return error
  }
}

/** A database that is not there, or has too much to do, says nothing about a row. */
function isOfTheRow(error: unknown): boolean {
  return !(error instanceof DatabaseUnavailable)
}

/** A change that concerns many investments becomes one row for each of the next ones, and the rest is queued after them. */
async function spread(tx: Tx, seq: string, { derivation, limit }: Batch): Promise<void> {
  if ((await lockToPublish(tx, derivation)) === null) return
  const [wide] = await takeChanges(tx, { limit, only: seq })
  if (wide === undefined) return
  const [ids = []] = await findConcerned(tx, [wide], limit)
  const each = ids.map((id) => ({ kind: 'investment' as const, id, after: '', company: null }))
  const rest = ids.length < limit ? [] : [{ ...wide, after: ids.at(-1) ?? '' }]
  await putBackChanges(tx, [...each, ...rest])
}

type Batch = {
  readonly derivation: Derivation
  readonly limit: number
  /** See `publishRecords`. */
  readonly beside?: WorldDatabase['beside']
}
type PublishChangesWork = Share & Omit<Batch, 'limit'>

/**
 * Takes from the to-do list, derives, and publishes what differs: one transaction, under the ledger's lock from its
 * first statement to its commit. So positions are given in the order in which they can be seen, and no reader who has
 * got past one ever misses it. Says how many rows it took; null when it was not ours to publish.
 */
export async function publishChanges(
  tx: Tx,
  { derivation, beside = within, ...share }: PublishChangesWork,
): Promise<number | null> {
  const ledger = await lockToPublish(tx, derivation)
  if (ledger === null) return null
  const { taken, investments, access } = await takeWork(tx, share)
  const position = await publishRecords(tx, { ledger, derivation, investments, cause: 'facts', beside })
  await placeAccessChanges(tx, access, position + 1)
  await advanceLedger(tx, { ...ledger, position: position + access.length })
  return taken
}

type Work = {
  /** How many rows were taken from the to-do list. */
  readonly taken: number
  /** Each once, in the order in which they were first listed. */
  readonly investments: readonly Id<'investment'>[]
  /** Whose access changed at which company, each once. */
  readonly access: readonly AccessChange[]
}

/**
 * The next part of the to-do list, at most `limit` investments of what names them and as many of what concerns several.
 * An offering may have a hundred thousand: what is left of it goes back to the end of the list, behind whatever
 * happened meanwhile.
 */
async function takeWork(tx: Tx, share: Share): Promise<Work> {
  const changes = await takeChanges(tx, share)
  const investments = new Set(changes.filter(({ kind }) => kind === 'investment').map(idOf<'investment'>))
  const wide = changes.filter(({ kind }) => kind !== 'investment' && kind !== 'access')
  for (const id of await goThrough(tx, wide, share.limit)) investments.add(id)
  return { taken: changes.length, investments: [...investments], access: accessOf(changes) }
}

function accessOf(changes: readonly Change[]): AccessChange[] {
  const each = changes.flatMap((change) =>
    change.company === null ? [] : [{ user: idOf<'user'>(change), company: change.company }],
  )
  return [...new Map(each.map((one) => [`${one.user} ${one.company}`, one])).values()]
}

async function goThrough(tx: Tx, wide: readonly Change[], limit: number): Promise<Id<'investment'>[]> {
  if (wide.length === 0) return []
  const each = Math.ceil(limit / wide.length)
  const found = await findConcerned(tx, wide, each)
  const rest = wide.flatMap((change, place) => {
    const ids = found[place] ?? []
    return ids.length < each ? [] : [{ ...change, after: ids.at(-1) ?? '' }]
  })
  if (rest.length > 0) await putBackChanges(tx, rest)
  return found.flat()
}

function idOf<K extends 'investment' | 'user'>({ id }: Change): Id<K> {
  return id as Id<K>
}

/** Of a batch that takes ten times as long nothing is published. */
const AIM_MS = 1_500
const [FIRST, LEAST, MOST] = [1_000, 250, 4_000] as const

/**
 * How many changes the next batch takes. Many, because what is waited for once a batch, the disk above all, is waited for on
 * behalf of all of them; but no more than are published in a while on this machine, at this hour: a batch that takes too long
 * is rejected as a whole, and would be again.
 */
export class BatchSize {
  #limit: number = FIRST

  get limit(): number {
    return this.#limit
  }

  /** A batch that was not full says nothing of how many more there was time for. */
  published(taken: number, ms: number): void {
    const fitting = this.#limit * Math.min(2, AIM_MS / Math.max(1, ms))
    if (fitting < this.#limit || taken >= this.#limit) this.#set(fitting)
  }

  /** Whatever it was, a row or the machine: what is tried next is small, and soon grows again. */
  failed(): void {
    this.#set(LEAST)
  }

  #set(limit: number): void {
    this.#limit = Math.round(Math.min(MOST, Math.max(LEAST, limit)))
  }
}

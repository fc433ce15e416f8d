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

/**
 * After a failure this many changes are published one by one, which is slower. The changes after them are tried as a
 * batch again.
 */
const SINGLES: Batch = { derivation: DERIVATION, limit: 250 }

/**
 * Batches are small, and a pause follows each batch: every republished record leaves dead rows in the indexes that
 * readers use, and vacuum has to keep up.
 */
const REPUBLISH_LIMIT = 100

/**
 * Publishes one batch of changes. Returns whether more changes may wait. If a batch fails because of its rows, it is
 * published row by row, so that one bad row never stops the ledger. `size` adapts the size of batches to this
 * publisher's speed.
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
 * Republishes one batch, if there is a new derivation and no change waits. Also records from time to time that a
 * publisher of this derivation works, so that a publisher with an older derivation leaves the work to it.
 */
export async function republishRound(db: WorldDatabase): Promise<boolean> {
  const glance = await glanceAtLedger(db)
  if (glance.waiting) return glance.republishing
  const due = glance.republishing || glance.derivation_version !== DERIVATION.version || glance.unattended
  return due && (await republishBatch(db, REPUBLISH_LIMIT))
}

/**
 * If a batch fails, its first record is tried alone. If that record fails too, it is put into the change queue, where
 * it can be set aside.
 */
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
 * Takes one batch of the records that an older derivation published, derives these records again, and publishes those
 * that differ: "when the derivation's version rises, only records whose published form differs are republished, with
 * reason `recomputed`". Returns whether more records follow.
 */
export async function republish(tx: Tx, { derivation, limit }: Batch): Promise<boolean> {
  const ledger = await lockToPublish(tx, derivation)
  if (ledger === null) return false
  const { investments, reached } = await nextBatch(tx, ledger, limit)
  const position = await publishRecords(tx, { ledger, derivation, investments, cause: 'derivation', beside: within })
  await advanceLedger(tx, { ...ledger, position, republish_after: reached })
  return reached !== null
}

/** Skips a record that cannot be republished, and puts it into the change queue. */
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

/** The next investments. `reached` is the last id among them, or null if no more follow. */
async function nextBatch(tx: Tx, { republish_after: after }: LockedLedger, limit: number) {
  const investments = after === null ? [] : await nextInvestments(tx, after, limit)
  return { investments, reached: investments.length < limit ? null : (investments.at(-1) ?? null) }
}

/** After this many failures the other changes wait for the next round: if every change fails, the cause is not a single row. */
const FAILURES_MAX = 10

/**
 * Publishes each row of a failed batch in its own transaction. A row that fails alone is set aside: it stays on the
 * list, is retried from time to time, and blocks no other row. If rows were set aside, this function finally throws an
 * error that names them, so that the failure is logged and counted.
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

/** An error because the database is down or overloaded is not caused by the row. */
function isOfTheRow(error: unknown): boolean {
  return !(error instanceof DatabaseUnavailable)
}

/**
 * Replaces a change that concerns many investments: adds one change for each of the next investments, and after them
 * one change for the rest.
 */
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
 * Takes rows from the change queue, derives their records and publishes the records that differ. All of this is one
 * transaction, which has locked the ledger from its first statement to its commit. So positions become visible in their
 * order, and a reader that has seen a position has missed no position before it. Returns how many rows were taken; null
 * if this process may not publish now (see `lockToPublish`).
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
  /** How many rows were taken from the change queue. */
  readonly taken: number
  /** Each investment once, in the order of the queue. */
  readonly investments: readonly Id<'investment'>[]
  /** Pairs of a user and a company to which the user's access changed, each once. */
  readonly access: readonly AccessChange[]
}

/**
 * Takes the next part of the change queue: at most `limit` changes, and at most about `limit` investments of changes that
 * concern several investments. An offering may have a hundred thousand investments. The investments beyond the limit go
 * to the end of the queue, behind newer changes.
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

/** The aim for the time of one batch. A batch that takes ten times as long is rolled back. */
const AIM_MS = 1_500
const [FIRST, LEAST, MOST] = [1_000, 250, 4_000] as const

/**
 * How many changes the next batch takes. Large batches are efficient, because all changes of a batch share one commit
 * and its wait for the disk. But a batch that takes too long is rolled back, and would take too long at every retry. So
 * the size adapts to the speed of this machine.
 */
export class BatchSize {
  #limit: number = FIRST

  get limit(): number {
    return this.#limit
  }

  /** A batch that was not full does not show how many more changes there was time for, so it never raises the limit. */
  published(taken: number, ms: number): void {
    const fitting = this.#limit * Math.min(2, AIM_MS / Math.max(1, ms))
    if (fitting < this.#limit || taken >= this.#limit) this.#set(fitting)
  }

  /** After any failure, of a row or of the machine, the next batch is small; the size soon grows again. */
  failed(): void {
    this.#set(LEAST)
  }

  #set(limit: number): void {
    this.#limit = Math.round(Math.min(MOST, Math.max(LEAST, limit)))
  }
}

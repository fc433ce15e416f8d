import type { WorldDatabase } from '#system/postgres/database.ts'
import { DERIVATION } from '../derive/record.ts'
import { BatchSize } from './batch-size.ts'
import { glanceAtLedger } from './ledger-store.ts'
import { type Batch, publishChanges } from './publish-changes.ts'
import { isOfTheRow, publishSingly } from './publish-singly.ts'
import { leaveToChanges, republish } from './republish.ts'

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

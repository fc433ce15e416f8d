import type { WorldDatabase } from '#system/postgres/database.ts'
import { DERIVATION } from '../derive/record.ts'
import { glanceAtLedger } from './ledger-store.ts'
import { type Batch, publishChanges } from './publish-changes.ts'
import { isOfTheRow, publishSingly } from './publish-singly.ts'
import { leaveToChanges, republish } from './republish.ts'

/**
 * What is waited for once a batch, the disk above all, is waited for on behalf of so many. But for no longer than this, on
 * whatever machine: a batch that takes too long is refused as a whole, and would be again.
 */
const BATCH: Batch = { derivation: DERIVATION, limit: 6_000, forMs: 2_000 }

/** One by one takes longer: what comes after these is tried together again. */
const SINGLES: Batch = { ...BATCH, limit: 250 }

/**
 * Small, and with a pause after each: every record that moves leaves a dead row behind in the indexes that readers walk
 * along, and vacuum has to keep up.
 */
const REPUBLISH_LIMIT = 100

/**
 * One batch of what has changed. True when there may be more. A batch that fails for what is in it is gone through row by
 * row, so that one row that cannot be published never stops the ledger.
 */
export async function publishRound(db: WorldDatabase): Promise<boolean> {
  const { waiting, retrying } = await glanceAtLedger(db)
  const more = waiting && (await publishBatch(db))
  if (retrying) await publishSingly(db, 'due', SINGLES)
  return more
}

async function publishBatch(db: WorldDatabase): Promise<boolean> {
  try {
    return (await db.transaction((tx) => publishChanges(tx, BATCH))) !== null
  } catch (error) {
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

import type { WorldDatabase } from '#system/postgres/database.ts'
import { DERIVATION } from '../derive/record.ts'
import { glanceAtLedger } from './ledger-store.ts'
import { publishChanges } from './publish-changes.ts'
import { republish } from './republish.ts'

/** The texts of so many records are in our memory at once. */
const PUBLISH_LIMIT = 250

/**
 * Small, and with a pause after each: every record that moves leaves a dead row behind in the indexes that readers walk
 * along, and vacuum has to keep up.
 */
const REPUBLISH_LIMIT = 100

/** One batch of what has changed. True when there may be more. */
export async function publishRound(db: WorldDatabase): Promise<boolean> {
  const { waiting } = await glanceAtLedger(db)
  if (!waiting) return false
  const batch = { derivation: DERIVATION, limit: PUBLISH_LIMIT }
  return (await db.transaction((tx) => publishChanges(tx, batch))) !== null
}

/**
 * Behind the changes, which come first: one batch of republishing, if a new derivation asks for it. Also says from time
 * to time that a publisher of this derivation is there, so that an older one keeps out of its way.
 */
export async function republishRound(db: WorldDatabase): Promise<boolean> {
  const glance = await glanceAtLedger(db)
  if (glance.waiting) return glance.republishing
  const due = glance.republishing || glance.derivation_version !== DERIVATION.version || glance.unattended
  return due && (await db.transaction((tx) => republish(tx, { derivation: DERIVATION, limit: REPUBLISH_LIMIT })))
}

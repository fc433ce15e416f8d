import type { PlatformTx } from '#system/postgres/database.ts'
import { purgeLinks } from '../links/link-store.ts'
import { purgeUsedStates } from '../openid/store.ts'
import { purgeAttempts, purgeDevices, purgeSessions } from './store.ts'

const PURGES = [purgeSessions, purgeAttempts, purgeDevices, purgeLinks, purgeUsedStates]

/** Deletes up to `limit` of what has expired; fewer than `limit` means that nothing is left for now. */
export async function purgeSignIns(tx: PlatformTx, limit: number): Promise<number> {
  let purged = 0
  for (const purge of PURGES) {
    if (purged < limit) purged += await purge(tx, limit - purged)
  }
  return purged
}

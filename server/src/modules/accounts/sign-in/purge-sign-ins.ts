import type { PlatformTx } from '#system/postgres/database.ts'
import { purgeAttempts } from './attempt-store.ts'
import { purgeSessions } from './session-store.ts'

/** Deletes up to `limit` of what has expired; fewer than `limit` means that nothing is left for now. */
export async function purgeSignIns(tx: PlatformTx, limit: number): Promise<number> {
  const sessions = await purgeSessions(tx, limit)
  return sessions + (sessions < limit ? await purgeAttempts(tx, limit - sessions) : 0)
}

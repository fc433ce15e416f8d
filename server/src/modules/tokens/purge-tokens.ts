import type { Tx } from '#system/postgres/database.ts'
import { PURGES } from './purge-store.ts'

/**
 * Forgets what can no longer be used or asked about: at most `limit` rows, so that it is over in a moment. As many as
 * that means that there may be more.
 */
export async function purgeTokens(tx: Tx, limit: number): Promise<number> {
  let done = 0
  for (const purge of PURGES) {
    if (done < limit) done += await purge(tx, limit - done)
  }
  return done
}

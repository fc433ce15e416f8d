import type { PlatformTx } from '#system/postgres/database.ts'
import { eraseExpired, lockExpired } from './secret-store.ts'

/** What does not sign any more is kept no longer: nobody can use it but who found it. Says of how many endpoints. */
export async function eraseSecrets(tx: PlatformTx, limit: number): Promise<number> {
  const ids = await lockExpired(tx, limit)
  if (ids.length > 0) await eraseExpired(tx, ids)
  return ids.length
}

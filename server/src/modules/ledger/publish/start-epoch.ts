import { ApiError } from '#kernel/errors.ts'
import type { Tx } from '#system/postgres/database.ts'
import { advanceLedger, insertEpoch, lockLedger, lookAtLedger } from './ledger-store.ts'

/**
 * For the operator who put back a copy of the disks: PostgreSQL then says it is the server it was, and positions that
 * readers hold from what was lost are given again. Where the server is another one, publishing sees it by itself.
 *
 * Readers go on from `position`, or from the lower one they hold. It must be where the ledger stood when the disks were put
 * back, or before: what workers published since then has positions that readers may hold for something else. Who does not
 * know it gives none, and everybody reads everything again.
 */
export async function startEpoch(tx: Tx, position = 0): Promise<{ readonly epoch: number }> {
  if (!(await lockLedger(tx))) {
    throw new ApiError('unavailable', { public: 'Somebody is publishing. Stop the workers and try again.' })
  }
  const ledger = await lookAtLedger(tx)
  if (position > ledger.position) {
    throw new ApiError('invalid_request', {
      public: `The ledger stands at ${ledger.position}: it was never at ${position} on these disks.`,
    })
  }
  const epoch = await insertEpoch(tx, position)
  await advanceLedger(tx, { ...ledger, epoch })
  return { epoch }
}

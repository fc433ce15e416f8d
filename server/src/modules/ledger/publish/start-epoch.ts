import { ApiError } from '#kernel/errors.ts'
import type { Tx } from '#system/postgres/database.ts'
import { advanceLedger, insertEpoch, lockLedger, lookAtLedger } from './ledger-store.ts'

/**
 * For the operator who put back a copy of the disks: PostgreSQL then says it is the server it was, and positions that
 * readers hold from what was lost are about to be given again. Where the server is another one, publishing sees it by
 * itself. Readers read again what they may have missed, from the position at which the ledger stands now.
 */
export async function startEpoch(tx: Tx): Promise<{ readonly epoch: number; readonly position: number }> {
  if (!(await lockLedger(tx))) {
    throw new ApiError('unavailable', { public: 'Somebody is publishing. Stop the workers and try again.' })
  }
  const ledger = await lookAtLedger(tx)
  const epoch = await insertEpoch(tx, ledger.position)
  await advanceLedger(tx, { ...ledger, epoch })
  return { epoch, position: ledger.position }
}

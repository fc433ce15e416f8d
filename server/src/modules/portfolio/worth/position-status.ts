import type { ExitReason } from '../vocabulary.ts'
import type { Exit, Stake } from './stake.ts'
import { endOf } from './stake-end.ts'

export const POSITION_STATUSES = ['active', 'exited', 'sold', 'failed'] as const
export type PositionStatus = (typeof POSITION_STATUSES)[number]

/**
 * "active, exited, sold, failed; sold = transferred in secondary." Sold once all of it is; with a part still held it is
 * what became of that part. The list's filter says the same in SQL, and a test compares the two.
 */
export function positionStatus(stakes: readonly Pick<Stake, 'sale'>[], exit: Exit | null): PositionStatus {
  if (stakes.every((stake) => endOf(stake, exit)?.by === 'sale')) return 'sold'
  return exit?.status ?? 'active'
}

/** "Only for exited and failed; may be unrecorded." */
export function exitReason(status: PositionStatus, exit: Pick<Exit, 'reason'> | null): ExitReason | null {
  return status === 'exited' || status === 'failed' ? (exit?.reason ?? null) : null
}

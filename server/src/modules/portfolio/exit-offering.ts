import type { WorldTime } from '#kernel/clock.ts'
import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { pastTime } from './past-time.ts'
import { type Decimal, insertExit, offeringExists } from './store.ts'
import type { ExitReason, ExitStatus } from './vocabulary.ts'

export type NewExit = {
  readonly offering: Id<'offering'>
  readonly status: ExitStatus
  readonly reason?: ExitReason | null
  /** What came back, as a multiple of what was paid; nothing, unless said. */
  readonly multiple?: Decimal
  readonly exited_at?: WorldTime
}

/** The stakes sold in an offering ended, for everybody who held one, once and for ever. */
export async function exitOffering(tx: Tx, exit: NewExit, occasion: Occasion): Promise<void> {
  const { offering, status, reason = null, multiple = '0' } = exit
  const exited_at = pastTime('exited_at', exit.exited_at, occasion)
  if (!(await offeringExists(tx, offering))) throw new UnknownReference('offering', offering)
  await insertExit(tx, { offering, status, reason, exited_at, multiple })
}

import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Which } from './investment.ts'
import { refuseStep, statesFor } from './step-rules.ts'
import { setConfirmed } from './step-store.ts'

/** From now on it counts toward the raise. Its payment and checks may still be open: the host platform decides. */
export async function confirmInvestment(tx: Tx, { id }: Which, { occurredAt }: Occasion): Promise<void> {
  if (!(await setConfirmed(tx, id, occurredAt, statesFor('confirm')))) await refuseStep(tx, id, 'confirm')
}

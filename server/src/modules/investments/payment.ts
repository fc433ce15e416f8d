import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { refuseBrokenUnits } from './amount.ts'
import type { Which } from './investment.ts'
import { refuseStep, type Step, statesFor } from './step-rules.ts'
import { type Payment, setPayment } from './step-store.ts'

/** The investor has sent the money; it is on its way. */
export async function expectPayment(tx: Tx, { id }: Which, _occasion: Occasion): Promise<void> {
  await change(tx, id, { step: 'expect_payment', state: 'pending' })
}

/** It has arrived in escrow: so much of it as is said, or all that was committed. */
export async function receivePayment(
  tx: Tx,
  { id, in_escrow_cents }: Which & { readonly in_escrow_cents?: Cents },
  _occasion: Occasion,
): Promise<void> {
  if (in_escrow_cents !== undefined) refuseBrokenUnits('in_escrow_cents', in_escrow_cents)
  await change(tx, id, { step: 'receive_payment', state: 'received', in_escrow_cents: in_escrow_cents ?? null })
}

export async function failPayment(tx: Tx, { id }: Which, _occasion: Occasion): Promise<void> {
  await change(tx, id, { step: 'fail_payment', state: 'failed' })
}

export async function refundPayment(tx: Tx, { id }: Which, _occasion: Occasion): Promise<void> {
  await change(tx, id, { step: 'refund_payment', state: 'refunded' })
}

async function change(
  tx: Tx,
  id: Id<'investment'>,
  { step, state, in_escrow_cents = null }: Pick<Payment, 'state'> & Partial<Payment> & { readonly step: Step },
): Promise<void> {
  if (!(await setPayment(tx, id, { state, in_escrow_cents }, statesFor(step)))) await refuseStep(tx, id, step)
}

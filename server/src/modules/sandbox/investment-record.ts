import { Type } from 'typebox'
import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { CHECK_STATES, INVESTMENT_STATES, type PaymentState, readInvestment } from '#modules/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { Exactly, IdOf, OneOf, OrNull, Time } from './fields.ts'

const Check = OneOf(CHECK_STATES)
const PAYMENT: readonly PaymentState[] = ['none', 'pending', 'received', 'failed', 'refunded']

/** Flat, as the investment record is in every version; without what says who the investor is. */
export const Investment = Exactly(
  {
    id: IdOf('investment'),
    status: OneOf(INVESTMENT_STATES),
    offering: IdOf('offering'),
    company: IdOf('company'),
    investor: Exactly({ id: IdOf('user') }),
    amounts: Exactly({
      committed_cents: Type.Integer(),
      in_escrow_cents: Type.Integer(),
      refund_due_cents: Type.Integer(),
      currency: Type.String(),
    }),
    applied_at: Time,
    confirmed_at: OrNull(Time),
    executed_at: OrNull(Time),
    canceled_at: OrNull(Time),
    converted_at: OrNull(Time),
    converted_to: OrNull(IdOf('investment')),
    converted_from: OrNull(IdOf('investment')),
    payment: OneOf(PAYMENT),
    identity: Check,
    accreditation: Check,
    signature: Check,
    review: Check,
    hidden: Type.Boolean(),
  },
  'SandboxInvestment',
)

/** The schema picks the fields that are shown. Amounts of a canceled investment read as in the published record. */
export async function showInvestment(tx: Tx, id: Id<'investment'>) {
  const investment = await readInvestment(tx, id)
  if (investment === null) throw new UnknownReference('id', id)
  const { committed_cents, in_escrow_cents, currency } = investment.amounts
  const isCanceled = investment.status === 'canceled'
  const amounts = {
    committed_cents: committed_cents ?? 0,
    in_escrow_cents: isCanceled ? 0 : in_escrow_cents,
    refund_due_cents: isCanceled ? in_escrow_cents : 0,
    currency,
  }
  return { ...investment, amounts, investor: { id: investment.investor } }
}

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
      committed_cents: OrNull(Type.Integer()),
      in_escrow_cents: Type.Integer(),
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

/** The schema picks the fields that are shown. */
export async function showInvestment(tx: Tx, id: Id<'investment'>) {
  const investment = await readInvestment(tx, id)
  if (investment === null) throw new UnknownReference('id', id)
  return { ...investment, investor: { id: investment.investor } }
}

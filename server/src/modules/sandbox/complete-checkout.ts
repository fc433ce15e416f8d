import { type Static, Type } from 'typebox'
import { validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { transition } from '#kernel/state-machine.ts'
import type { Occasion } from '#modules/events/index.ts'
import { completeInvestmentSession, INVESTMENT_SESSION_MACHINE, playInvestment } from '#modules/sessions/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { AmountCents, Exactly, IdOf } from './fields.ts'
import { showInvestmentSession } from './investment-session-record.ts'
import type { SandboxSettings } from './settings.ts'

export const CheckoutEnd = Exactly(
  {
    investment: Type.Optional(IdOf('investment')),
    user: Type.Optional(IdOf('user')),
    amount_cents: Type.Optional(AmountCents),
  },
  'SandboxCheckoutEnd',
)

type End = { readonly id: Id<'investmentSession'> } & Static<typeof CheckoutEnd>

/**
 * "Recipient's investment created and confirmed." Names an investment that is there, or makes and confirms it here, as
 * the recipient would have done on the hosted page: for the session's person and its allocation, unless said otherwise.
 */
type Around = { readonly occasion: Occasion; readonly settings: SandboxSettings }

export async function completeCheckout(tx: Tx, end: End, around: Around): Promise<void> {
  const { id } = end
  const investmentId = end.investment ?? (await invest(tx, end, around))
  await completeInvestmentSession(tx, { id, investmentId }, around.occasion)
}

async function invest(
  tx: Tx,
  { id, user, amount_cents }: End,
  { occasion, settings }: Around,
): Promise<Id<'investment'>> {
  const session = (await showInvestmentSession(tx, id)).attributes
  // Nobody can invest at a session that is over: said before anything about the offering.
  transition(INVESTMENT_SESSION_MACHINE, { from: session.status, move: 'complete' })
  const investor = user ?? session.user ?? required('user', 'since nobody is known at this session')
  const amount = amount_cents ?? session.allocation_cents ?? required('amount_cents', 'since the session fixes none')
  const played = { offering: session.offering, investor, amount_cents: amount }
  return playInvestment(tx, played, { occasion, crediting: settings.referrals })
}

function required(field: string, why: string): never {
  throw validationError([{ field, code: 'required', message: `is required, ${why}` }])
}

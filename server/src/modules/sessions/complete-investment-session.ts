import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { readInvestment } from '#modules/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { moveInvestmentSession } from './move-investment-session.ts'
import { otherRecipient } from './start-investment-session.ts'
import type { InvestmentSessionRow } from './store.ts'

type Made = { readonly id: Id<'investmentSession'>; readonly investmentId: Id<'investment'> }

/** "Recipient's investment created and confirmed": theirs, and in the offering the session is for. */
export async function completeInvestmentSession(tx: Tx, { id, investmentId }: Made, occasion: Occasion): Promise<void> {
  const set = async (session: InvestmentSessionRow) => {
    const investment = await readInvestment(tx, investmentId)
    if (investment === null) throw new UnknownReference('investment', investmentId)
    if (investment.offering !== session.offering_id) throw otherOffering()
    if (session.user_id !== null && session.user_id !== investment.investor) throw otherRecipient('investment')
    if (!stands(investment)) throw notConfirmed()
    return { investment_id: investmentId, user_id: investment.investor }
  }
  await moveInvestmentSession(tx, { id, move: 'complete', set }, occasion)
}

/** A reservation is not confirmed; it stands by being made. */
function stands({ status, confirmed_at }: NonNullable<Awaited<ReturnType<typeof readInvestment>>>): boolean {
  return status === 'reserved' || ((status === 'active' || status === 'executed') && confirmed_at !== null)
}

function notConfirmed() {
  const message = 'is neither a confirmed investment nor a standing reservation'
  return validationError([{ field: 'investment', code: 'not_confirmed', message }])
}

function otherOffering() {
  const message = 'is in another offering than the session is for'
  return validationError([{ field: 'investment', code: 'other_offering', message }])
}

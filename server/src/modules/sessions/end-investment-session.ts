import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { InvestmentSessionMove } from './investment-session-states.ts'
import { moveInvestmentSession } from './move-investment-session.ts'

type Move = (tx: Tx, session: { readonly id: Id<'investmentSession'> }, occasion: Occasion) => Promise<void>

/** The recipient went away. No event: they may come back. */
export const abandonInvestmentSession: Move = plainly('abandon')

export const resumeInvestmentSession: Move = plainly('resume')

export const expireInvestmentSession: Move = plainly('expire')

/** "By the creating partner." */
export const cancelInvestmentSession: Move = plainly('cancel')

/** The table says from where and with which event; nothing else is set. */
function plainly(move: InvestmentSessionMove): Move {
  return (tx, { id }, occasion) => moveInvestmentSession(tx, { id, move }, occasion)
}

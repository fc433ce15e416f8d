import { validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { lockActiveUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { moveInvestmentSession } from './move-investment-session.ts'
import type { InvestmentSessionRow } from './store.ts'

export type Start = {
  readonly id: Id<'investmentSession'>
  /** Who opened the link, where the session went to an address only. */
  readonly userId?: Id<'user'>
}

/** "Recipient opened the link and began the hosted flow." */
export async function startInvestmentSession(tx: Tx, { id, userId }: Start, occasion: Occasion): Promise<void> {
  if (userId !== undefined) await lockActiveUser(tx, 'user', userId)
  const set = async ({ user_id }: InvestmentSessionRow) => {
    if (userId === undefined) return {}
    if (user_id !== null && user_id !== userId) throw otherRecipient('user')
    return { user_id: userId }
  }
  await moveInvestmentSession(tx, { id, move: 'start', set }, occasion)
}

export function otherRecipient(field: string) {
  return validationError([{ field, code: 'other_recipient', message: 'is of another person than the session is for' }])
}

import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { deactivateInvestor } from '#modules/investments/index.ts'
import { lockUser } from '#modules/people/index.ts'
import { eraseSessions } from '#modules/sessions/index.ts'
import { eraseMember } from '#modules/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'

/**
 * Takes a person out of everything we keep. The person's lock comes first, so that nothing new about them appears in
 * between; the user's row is erased last, because what came before there was an account is known by its address alone.
 */
export async function forgetUser(tx: Tx, id: Id<'user'>, occasion: Occasion): Promise<void> {
  const { user } = await lockUser(tx, 'id', id)
  const { invitedAs } = await eraseMember(tx, id)
  await eraseSessions(tx, id)
  const addresses = user === null ? invitedAs : [user.email, ...invitedAs]
  await deactivateInvestor(tx, { id, addresses }, occasion)
}

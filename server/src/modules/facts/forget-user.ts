import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { deactivateInvestor } from '#modules/investments/index.ts'
import { addressesOf, lockUser } from '#modules/people/index.ts'
import { eraseSessions } from '#modules/sessions/index.ts'
import { eraseMember } from '#modules/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'

/**
 * Takes a person out of everything we keep. The person's lock comes first, so that nothing new about them appears in
 * between. What came before there was an account is known by an address alone: by any that the person has or had.
 */
export async function forgetUser(tx: Tx, id: Id<'user'>, occasion: Occasion): Promise<void> {
  await lockUser(tx, 'id', id)
  const had = await addressesOf(tx, id)
  const { invitedAs } = await eraseMember(tx, id, had)
  const addresses = [...had, ...invitedAs]
  await eraseSessions(tx, id, addresses)
  await deactivateInvestor(tx, { id, addresses }, occasion)
}

import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { deactivateInvestor } from '#modules/investments/index.ts'
import { eraseSessions } from '#modules/sessions/index.ts'
import { eraseMember } from '#modules/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'

/**
 * Takes a person out of everything we keep. Each module erases its own, the user's row last: invitations and sessions
 * from before there was an account are known by its address alone.
 */
export async function forgetUser(tx: Tx, id: Id<'user'>, occasion: Occasion): Promise<void> {
  await eraseMember(tx, id)
  await eraseSessions(tx, id)
  await deactivateInvestor(tx, id, occasion)
}

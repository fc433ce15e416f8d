import { validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { setManager } from './set-manager.ts'
import { standingById } from './standing.ts'
import { demoteManager } from './store.ts'

type Named = { readonly id: Id<'membership'> }

/** "Promote and demote [change] only the permission": to full access, of somebody who is a member. No event. */
export async function promoteMember(tx: Tx, { id }: Named, occasion: Occasion): Promise<void> {
  const { syndicate_id: syndicateId, user_id: userId, status } = await standingById(tx, id)
  if (status !== 'member') throw refusal('not_a_member', 'must be a member to be promoted')
  await setManager(tx, { syndicateId, userId, permission: 'full_access' }, occasion)
}

/** From full access to operator. Ending the role altogether is another thing (`endManager`). */
export async function demoteMember(tx: Tx, { id }: Named): Promise<void> {
  const { syndicate_id, user_id } = await standingById(tx, id)
  if (await demoteManager(tx, syndicate_id, user_id)) return
  throw refusal('not_full_access', 'must have full access to be demoted')
}

function refusal(code: string, message: string) {
  return validationError([{ field: 'id', code, message }])
}

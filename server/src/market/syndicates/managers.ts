import { lockActiveUser } from '#access/people/index.ts'
import type { Occasion } from '#events/index.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { lockStateById } from './membership-moves.ts'
import { deleteManager, demoteManager, putManager } from './people-store.ts'
import type { Permission } from './syndicate.ts'
import { syndicateExists } from './syndicate-store.ts'

export type NewManager = {
  readonly syndicateId: Id<'syndicate'>
  readonly userId: Id<'user'>
  readonly permission: Permission
}

/** Makes a manager, or gives one another permission. No event: the specification has none for it. */
export async function setManager(tx: Tx, input: NewManager, occasion: Occasion): Promise<void> {
  await lockActiveUser(tx, 'user', input.userId)
  if (!(await syndicateExists(tx, input.syndicateId))) throw new UnknownReference('syndicate', input.syndicateId)
  await putManager(tx, { ...input, at: occasion.occurredAt })
}

export async function endManager(
  tx: Tx,
  { syndicateId, userId }: { readonly syndicateId: Id<'syndicate'>; readonly userId: Id<'user'> },
): Promise<void> {
  if (await deleteManager(tx, syndicateId, userId)) return
  if (!(await syndicateExists(tx, syndicateId))) throw new UnknownReference('syndicate', syndicateId)
  throw validationError([{ field: 'user', code: 'not_a_manager', message: 'does not manage the syndicate' }])
}

type Named = { readonly id: Id<'membership'> }

/** "Promote and demote [change] only the permission": to full access, for a member. No event. */
export async function promoteMember(tx: Tx, { id }: Named, occasion: Occasion): Promise<void> {
  const { syndicate_id: syndicateId, user_id: userId, status } = await lockStateById(tx, id)
  if (status !== 'member') throw refusal('not_a_member', 'must be a member to be promoted')
  await setManager(tx, { syndicateId, userId, permission: 'full_access' }, occasion)
}

/** From full access to operator. Ending the role altogether is another thing (`endManager`). */
export async function demoteMember(tx: Tx, { id }: Named): Promise<void> {
  const { syndicate_id, user_id } = await lockStateById(tx, id)
  if (await demoteManager(tx, syndicate_id, user_id)) return
  throw refusal('not_full_access', 'must have full access to be demoted')
}

function refusal(code: string, message: string) {
  return validationError([{ field: 'id', code, message }])
}

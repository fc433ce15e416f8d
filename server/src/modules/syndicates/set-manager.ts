import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { lockActiveUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { putManager } from './store.ts'
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

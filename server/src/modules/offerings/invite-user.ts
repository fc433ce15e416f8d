import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { lockActiveUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { insertInvitation } from './store.ts'

export type Invitation = { readonly id: Id<'offering'>; readonly user: Id<'user'> }

/** Lets a person see a round that is not for everybody. Inviting twice is inviting once. */
export async function inviteUser(tx: Tx, { id, user }: Invitation, { occurredAt }: Occasion): Promise<void> {
  await lockActiveUser(tx, 'user', user)
  if (!(await insertInvitation(tx, { id, user }, occurredAt))) throw new UnknownReference('id', id)
}

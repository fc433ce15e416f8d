import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { readSyndicate } from '#modules/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'

/** Where the body said who approves or invites; `field` is the field's name. */
type Said = { readonly field: 'approved_by' | 'invited_by'; readonly user: Id<'user'> | undefined }

/** Who acts for a syndicate when nobody is named: one with full access, else any manager, else whoever made it. */
export async function actingManager(tx: Tx, syndicateId: Id<'syndicate'>, said: Said): Promise<Id<'user'>> {
  if (said.user !== undefined) return said.user
  const syndicate = await readSyndicate(tx, syndicateId)
  if (syndicate === null) throw new UnknownReference('id', syndicateId)
  const { managers, created_by } = syndicate
  const manager = managers.find(({ permission }) => permission === 'full_access') ?? managers[0]
  const user = manager?.user ?? created_by
  if (user !== null) return user
  const message = 'is required, since this syndicate has no manager'
  throw validationError([{ field: said.field, code: 'required', message }])
}

import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { deleteManager } from './store.ts'
import { syndicateExists } from './syndicate-store.ts'

export async function endManager(
  tx: Tx,
  { syndicateId, userId }: { readonly syndicateId: Id<'syndicate'>; readonly userId: Id<'user'> },
): Promise<void> {
  if (await deleteManager(tx, syndicateId, userId)) return
  if (!(await syndicateExists(tx, syndicateId))) throw new UnknownReference('syndicate', syndicateId)
  throw validationError([{ field: 'user', code: 'not_a_manager', message: 'does not manage the syndicate' }])
}

import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { removeMember } from './end-membership.ts'
import { emptyDraft, membersOfDraft } from './store.ts'

/**
 * A draft goes, with those who run it and whoever was invited. Its row stays without anybody in it: what was said about it
 * elsewhere still points there. That it is one that may go was decided before, by whoever holds it.
 */
export async function deleteDraft(tx: Tx, { id }: { readonly id: Id<'syndicate'> }, occasion: Occasion): Promise<void> {
  for (const member of await membersOfDraft(tx, id)) await removeMember(tx, { id: member }, occasion)
  if (!(await emptyDraft(tx, id, occasion.occurredAt))) throw new UnknownReference('id', id)
}

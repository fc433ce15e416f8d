import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { noMembershipYet } from './invitation-states.ts'
import { findMember } from './member-page-store.ts'
import { lockOrder, writeOrder } from './reorder-store.ts'

export type NewOrder = { readonly syndicateId: Id<'syndicate'>; readonly memberIds: readonly Id<'membership'>[] }

/** "In wanted order; any unknown id → 404 and nothing changes." Whoever is not named comes after those who are. */
export async function reorderMembers(tx: Tx, { syndicateId, memberIds }: NewOrder, occasion: Occasion): Promise<void> {
  const known = await lockOrder(tx, syndicateId, memberIds)
  const unknown = memberIds.find((id) => !known.has(id))
  if (unknown !== undefined) {
    throw (await findMember(tx, syndicateId, unknown)) === null ? notFound() : noMembershipYet('reorder')
  }
  await writeOrder(tx, syndicateId, { ids: memberIds, at: occasion.occurredAt })
}

import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { firstPlace, LOWEST_PLACE } from './first-place.ts'
import { noMembershipYet } from './invitation-states.ts'
import { findMember } from './member-page-store.ts'
import { firstOfOthers, lockOrder, renumber, writeOrder } from './reorder-store.ts'

export type NewOrder = { readonly syndicateId: Id<'syndicate'>; readonly memberIds: readonly Id<'membership'>[] }

/**
 * "In wanted order; any unknown id → 404 and nothing changes." Whoever is not named comes after those who are, as they
 * were. False when it was their order already.
 */
export async function reorderMembers(tx: Tx, order: NewOrder, occasion: Occasion): Promise<boolean> {
  const { syndicateId, memberIds } = order
  const known = await lockOrder(tx, syndicateId, memberIds)
  const unknown = memberIds.find((id) => !known.has(id))
  if (unknown !== undefined) {
    throw (await findMember(tx, syndicateId, unknown)) === null ? notFound() : noMembershipYet('reorder')
  }
  const first = await firstPlaceHere(tx, order)
  return writeOrder(tx, syndicateId, { ids: memberIds, first, at: occasion.occurredAt })
}

async function firstPlaceHere(tx: Tx, { syndicateId, memberIds }: NewOrder): Promise<number> {
  const first = firstPlace(memberIds.length, await firstOfOthers(tx, syndicateId, memberIds))
  if (first >= LOWEST_PLACE) return first
  // After some millions of such requests: everybody is counted from one again.
  await renumber(tx, syndicateId)
  return firstPlace(memberIds.length, await firstOfOthers(tx, syndicateId, memberIds))
}

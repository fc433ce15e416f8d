import { Type } from 'typebox'
import type { Occasion } from '#events/index.ts'
import { StreamedText } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, streamedBody } from '#http/schema-fields.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { memberExporter } from './export-members.ts'
import { forManagers, managerOf, occasionOf } from './manager-access.ts'
import { findMember } from './member-page-store.ts'
import { noMembershipYet, OfSyndicate } from './member-record.ts'
import { firstOfOthers, lockOrder, renumber, writeOrder } from './store.ts'

/** A limit, because each id in the list is one row to write. To order more members, send several lists, the last part first. */
const ORDERED_MAX = 1_000

const MemberIds = Type.Array(idOf('membership'), {
  minItems: 1,
  maxItems: ORDERED_MAX,
  uniqueItems: true,
  description: 'The members in the wanted order. Members that are not listed come after these.',
})

const MemberOrder = exactly(
  {
    id: idOf('syndicate'),
    type: Type.Literal('syndicate_member_order'),
    attributes: exactly({ member_ids: Type.Array(idOf('membership')) }),
  },
  'SyndicateMemberOrder',
)

/** Routes for the directory as a whole. */
export const directoryRoutes = (): Route[] => {
  const exportMembers = memberExporter()
  return [
    route({
      operation: 'reorderSyndicateMembers',
      method: 'POST',
      path: '/syndicates/:syndicate_id/members/reorder',
      summary: 'Reorder syndicate members',
      description: 'Puts the listed members first in the directory, in the given order.',
      tag: 'Syndicates',
      action: 'syndicates.member.reordered',
      access: forManagers('write:syndicates'),
      schema: {
        params: OfSyndicate,
        body: exactly({ member_ids: MemberIds }, 'NewSyndicateMemberOrder'),
        response: { 200: exactly({ data: MemberOrder }) },
      },
      transaction: async ({ tx, caller, params: { syndicate_id: id }, body: { member_ids }, requestId }) => {
        await managerOf(tx, caller, id)
        const order = { syndicateId: id, memberIds: member_ids }
        const unchanged = !(await reorderMembers(tx, order, await occasionOf(tx, requestId)))
        const data = { id, type: 'syndicate_member_order' as const, attributes: { member_ids } }
        return { status: 200, unchanged, body: { data } }
      },
    }),
    route({
      operation: 'exportSyndicateMembersCsv',
      method: 'POST',
      path: '/syndicates/:syndicate_id/members/export_csv',
      summary: 'Export syndicate members',
      description: 'Returns the directory as CSV, including the columns that only managers can see.',
      tag: 'Syndicates',
      action: 'syndicates.member.exported',
      access: forManagers('read:syndicates'),
      contentType: 'text/csv; charset=utf-8',
      schema: {
        params: OfSyndicate,
        response: { 200: streamedBody('CSV. The first line has the names of the columns.') },
      },
      handler: async ({ db, caller, params: { syndicate_id: id } }) => {
        await managerOf(db.reads, caller, id)
        return {
          status: 200,
          body: new StreamedText((write) => exportMembers(db, { syndicateId: id, caller }, write)),
          headers: { 'Content-Disposition': `attachment; filename="members-${id}.csv"`, 'Cache-Control': 'no-store' },
        }
      },
    }),
  ]
}

type NewOrder = { readonly syndicateId: Id<'syndicate'>; readonly memberIds: readonly Id<'membership'>[] }

/**
 * "In wanted order; any unknown id → 404 and nothing changes." Members that are not listed keep their order after the listed
 * ones. Returns false if the order did not change.
 */
async function reorderMembers(tx: Tx, order: NewOrder, occasion: Occasion): Promise<boolean> {
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
  // After some millions of such requests the integers are used up, so all members are renumbered from one.
  await renumber(tx, syndicateId)
  return firstPlace(memberIds.length, await firstOfOthers(tx, syndicateId, memberIds))
}

/** The smallest value of the integer column. */
const LOWEST_PLACE = -(2 ** 31)

/**
 * The place of the first listed member. The listed members get the places from 1 on if all others come later; otherwise the
 * places just before the first of the others, below zero if necessary. So no other member's place changes.
 */
function firstPlace(named: number, firstOfOthers: number | null): number {
  return firstOfOthers === null ? 1 : Math.min(1, firstOfOthers - named)
}

import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** Whoever gives an order waits here for whoever else does: each finds what the other left. */
const LOCK_SYNDICATE = statement<{ id: Id<'syndicate'> }>(
  'directory.lock_syndicate',
  'select id from syndicates where id = $1 for no key update',
)

/** Those named, and those who have a place. In the order of ids, as everybody takes several. */
const LOCK = statement<{ id: Id<'membership'> }>(
  'directory.lock_order',
  `select id from memberships
    where syndicate_id = $1 and (id = any($2) or sort_order is not null) order by id for no key update`,
)

/** Gives back the members that are there. */
export async function lockOrder(
  tx: Tx,
  syndicateId: Id<'syndicate'>,
  ids: readonly Id<'membership'>[],
): Promise<ReadonlySet<Id<'membership'>>> {
  await tx.one(LOCK_SYNDICATE, [syndicateId])
  return new Set((await tx.many(LOCK, [syndicateId, ids])).map(({ id }) => id))
}

/** Those named in this order, then those who had a place in the order they had. */
const REORDER = statement(
  'directory.reorder',
  `update memberships m
      set sort_order = placed.at, updated_at = greatest(m.updated_at, $3::timestamptz)
     from (select id, row_number() over (order by named.at, sort_order, id)::int as at
             from memberships
             left join unnest($2::text[]) with ordinality as named (member, at) on named.member = id
            where syndicate_id = $1 and (named.at is not null or sort_order is not null)) placed
    where m.id = placed.id and m.sort_order is distinct from placed.at`,
)

export async function writeOrder(
  tx: Tx,
  syndicateId: Id<'syndicate'>,
  { ids, at }: { ids: readonly Id<'membership'>[]; at: WorldTime },
): Promise<void> {
  await tx.run(REORDER, [syndicateId, ids, at])
}

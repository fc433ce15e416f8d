import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** Whoever gives an order waits here for whoever else does: each finds what the other left. */
const LOCK_SYNDICATE = statement<{ id: Id<'syndicate'> }>(
  'directory.lock_syndicate',
  'select id from syndicates where id = $1 for no key update',
)

/** In the order of ids, as everybody takes several. */
const LOCK = statement<{ id: Id<'membership'> }>(
  'directory.lock_order',
  'select id from memberships where syndicate_id = $1 and id = any($2) order by id for no key update',
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

/** Along the index of places, past those named. */
const FIRST_OF_OTHERS = statement<{ place: number | null }>(
  'directory.first_of_others',
  `select sort_order as place from memberships
    where syndicate_id = $1 and id <> all($2) order by coalesce(sort_order, 2147483647) limit 1`,
)

/** Null where nobody else has a place. */
export async function firstOfOthers(
  tx: Tx,
  syndicateId: Id<'syndicate'>,
  ids: readonly Id<'membership'>[],
): Promise<number | null> {
  return (await tx.maybeOne(FIRST_OF_OTHERS, [syndicateId, ids]))?.place ?? null
}

const REORDER = statement(
  'directory.reorder',
  `update memberships m
      set sort_order = $4 + named.at - 1, updated_at = greatest(m.updated_at, $3::timestamptz)
     from unnest($2::text[]) with ordinality as named (member, at)
    where m.id = named.member and m.syndicate_id = $1 and m.sort_order is distinct from $4 + named.at - 1`,
)

/** False when nobody had to move. */
export async function writeOrder(
  tx: Tx,
  syndicateId: Id<'syndicate'>,
  { ids, first, at }: { ids: readonly Id<'membership'>[]; first: number; at: WorldTime },
): Promise<boolean> {
  return (await tx.run(REORDER, [syndicateId, ids, at, first])) > 0
}

const RENUMBER = statement(
  'directory.renumber',
  `update memberships m set sort_order = placed.at
     from (select id, row_number() over (order by sort_order, id)::int as at
             from memberships where syndicate_id = $1 and sort_order is not null) placed
    where m.id = placed.id`,
)

/** The same order, in places from one on. */
export async function renumber(tx: Tx, syndicateId: Id<'syndicate'>): Promise<void> {
  await tx.run(RENUMBER, [syndicateId])
}

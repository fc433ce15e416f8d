import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** In the order of the ids, so that two processes that record the same installations do not deadlock. */
const RECORD = statement(
  'tokens.record_uses',
  `insert into installation_uses as known (installation_id, used_at)
   select id, clock_timestamp() from unnest($1::text[]) as used (id) order by id
   on conflict on constraint installation_uses_pkey do update set used_at = excluded.used_at
    where known.used_at < excluded.used_at - interval '50 minutes'`,
)

/** Several processes see the same installation; the first one in an hour writes. */
export async function recordUses(db: WorldDatabase, ids: readonly Id<'installation'>[]): Promise<void> {
  await db.reads.run(RECORD, [ids])
}

const FIND = statement<{ id: Id<'installation'>; usedAt: string }>(
  'tokens.find_uses',
  'select installation_id as id, used_at as "usedAt" from installation_uses where installation_id = any($1)',
)

/** When each installation's tokens were last used, to the hour. Installations without a use are left out. */
export async function lastUses(
  queries: WorldQueries,
  ids: readonly Id<'installation'>[],
): Promise<ReadonlyMap<Id<'installation'>, string>> {
  const found = ids.length === 0 ? [] : await queries.many(FIND, [ids])
  return new Map(found.map(({ id, usedAt }) => [id, usedAt]))
}

import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

const ACTIVE_THERE = statement<{ id: Id<'installation'> }>(
  'installations.active_there',
  `select id from installations where state = 'active' and company_id = any($1)
   union all
   select id from installations where state = 'active' and syndicate_id = any($1)`,
)

/** Whatever app is installed on these companies and syndicates. */
export async function activeThere(
  queries: WorldQueries,
  targets: readonly { readonly id: string }[],
): Promise<readonly Id<'installation'>[]> {
  return (await queries.many(ACTIVE_THERE, [targets.map(({ id }) => id)])).map(({ id }) => id)
}

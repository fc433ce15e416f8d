import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

type Active = { readonly id: Id<'installation'>; readonly targetId: string }

/** Each target by the index of its kind: an app may have very many installations, and a target very few. */
const ACTIVE_ON = statement<Active>(
  'installations.active_on',
  `select id, company_id as "targetId" from installations
    where app_id = $1 and state = 'active' and company_id = any($2)
   union all
   select id, syndicate_id from installations
    where app_id = $1 and state = 'active' and syndicate_id = any($2)`,
)

/** The active installations of an app on these targets, by the target's id. */
export async function activeOn(
  queries: WorldQueries,
  app: Id<'app'>,
  targets: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, Id<'installation'>>> {
  const rows = await queries.many(ACTIVE_ON, [app, targets.map(({ id }) => id)])
  return new Map(rows.map(({ id, targetId }) => [targetId, id]))
}

import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** Installed anew counts: it is the same app in the same place. */
const STANDS = statement<{ stands: boolean }>(
  'investment_sessions.app_stands',
  `select exists (
     select from installations i join installations n on n.app_id = i.app_id and n.target_type = i.target_type
      where i.id = $1 and n.state = 'active'
        and coalesce(n.company_id, n.syndicate_id) = coalesce(i.company_id, i.syndicate_id)) as stands`,
)

export async function isStillThere(queries: WorldQueries, installation: Id<'installation'>): Promise<boolean> {
  return (await queries.one(STANDS, [installation])).stands
}

import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** Installed anew counts: it is the same app in the same place. A syndicate has to run the offering still. */
const STANDS = statement<{ stands: boolean }>(
  'investment_sessions.app_stands',
  `select exists (
     select from installations i join installations n on n.app_id = i.app_id and n.target_type = i.target_type
      where i.id = $1 and n.state = 'active'
        and coalesce(n.company_id, n.syndicate_id) = coalesce(i.company_id, i.syndicate_id)
        and (i.syndicate_id is null or exists (
              select from syndicate_deals d where d.syndicate_id = i.syndicate_id and d.offering_id = $2))) as stands`,
)

export async function isStillThere(
  queries: WorldQueries,
  installation: Id<'installation'>,
  offering: Id<'offering'>,
): Promise<boolean> {
  return (await queries.one(STANDS, [installation, offering])).stands
}

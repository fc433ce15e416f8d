import type { Id } from '#kernel/ids.ts'
import type { OfferingState } from '#market/offerings/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

export type RunningOffering = {
  readonly id: Id<'offering'>
  readonly status: OfferingState
  readonly runs: boolean
  /** Whether it is publicly listed. */
  readonly public: boolean
}

const FIND = statement<RunningOffering>(
  'investment_sessions.running_offering',
  `select o.id, o.status,
          case $2 when 'company' then o.company_id = $3
                  else exists (select from syndicate_deals d where d.syndicate_id = $3 and d.offering_id = o.id) end as runs,
          o.listed and o.status in ('open', 'closing', 'closed') and not o.accredited_only as public
     from offerings o where o.id = $1`,
)

export async function findRunning(
  queries: WorldQueries,
  { type, target }: { readonly type: 'company' | 'syndicate'; readonly target: string },
  id: Id<'offering'>,
): Promise<RunningOffering | null> {
  return queries.maybeOne(FIND, [id, type, target])
}

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

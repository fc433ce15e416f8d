import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { InvestmentSessionState } from '../investment-session-states.ts'
import { type Owner, SESSION_COLUMNS, type SessionRow, UNFINISHED } from './session-sql-store.ts'

const NAMES = `page.id, page.spv_id, page.status, page.email, page.currency, page.allocation_cents, page.kyc_status, page.funding_status,
          page.investment_id, page.metadata, page.created_at, page.expires_at`

/** A page's worth, by the index, of what has some status as it is stored. */
const newest = (which: string) => `(
       select ${SESSION_COLUMNS} from investment_sessions s
        where s.installation_id = n.id and ($3::text is null or s.id < $3) and ($4::text is null or s.offering_id = $4)
          and ${which}
        order by s.id desc limit $5)`

/** Of each of the app's installations there, one after the other: together they could not be read in order. */
const listed = (pages: string) => `select ${NAMES}
     from installations n cross join lateral (${pages}) page
    where n.app_id = $1 and coalesce(n.company_id, n.syndicate_id) = $2
    order by page.id desc limit $5`

const LIST = statement<SessionRow>('investment_sessions.list_of_partner', listed(newest('true')))

const LIST_OF_STATUS = statement<SessionRow>(
  'investment_sessions.list_of_status',
  listed(newest(`s.status = $6 and (s.status not in (${UNFINISHED}) or s.expires_at > (select world_now()))`)),
)

/** What a worker has yet to come by for is little, and found by its own index before anything else is looked at. */
const LIST_EXPIRED = statement<SessionRow>(
  'investment_sessions.list_expired',
  `with overdue as materialized (
     select id from investment_sessions
      where status in (${UNFINISHED}) and expires_at <= (select world_now()) order by expires_at)
   ${listed(`${newest(`s.status = 'expired'`)} union all ${newest('s.id = any (array(select id from overdue))')}`)}`,
)

export type ListedSessions = {
  readonly before: string | null
  readonly spvId: Id<'offering'> | null
  readonly status: InvestmentSessionState | null
  /** Older versions count rows. */
  readonly skip: number
  readonly limit: number
}

/** The newest first. */
export async function listSessions(
  queries: WorldQueries,
  { app, target }: Owner,
  { before, spvId, status, skip, limit }: ListedSessions,
): Promise<readonly SessionRow[]> {
  const asked = [app, target, before, spvId, skip + limit]
  // Each installation's rows are cut to the page, so rows to skip are read with it.
  const read = async () => {
    if (status === null) return queries.many(LIST, asked)
    return status === 'expired' ? queries.many(LIST_EXPIRED, asked) : queries.many(LIST_OF_STATUS, [...asked, status])
  }
  return (await read()).slice(skip)
}

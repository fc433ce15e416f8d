import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { InvestmentSessionState } from '../investment-session-states.ts'
import type { PartnerSide } from './partner-side.ts'
import { SESSION_COLUMNS, type SessionRow, UNFINISHED } from './session-sql-store.ts'

const NAMES = `page.id, page.spv_id, page.status, page.email, page.currency, page.allocation_cents, page.kyc_status, page.funding_status,
          page.investment_id, page.metadata, page.created_at, page.expires_at, page.created_by`

/**
 * Where the sessions that an app reads are found, in parts that are each in the order of an index: together they could not be
 * read in order. At a company, offering by offering, wherever the app created them; at a syndicate, by the installations there.
 */
const PARTS = {
  company: {
    from: 'offerings part',
    part: 's.app_id = $1 and s.offering_id = part.id',
    where: 'part.company_id = $2 and ($4::text is null or part.id = $4)',
  },
  syndicate: {
    from: 'installations part',
    part: 's.installation_id = part.id and ($4::text is null or s.offering_id = $4)',
    where: 'part.app_id = $1 and part.syndicate_id = $2',
  },
} as const

type PlaceType = keyof typeof PARTS

/** A page's worth of one part, of what has some status as it is stored. */
const newest = (type: PlaceType, which: string) => `(
       select ${SESSION_COLUMNS} from investment_sessions s
        where ${PARTS[type].part} and ($3::text is null or s.id < $3) and ${which}
        order by s.id desc limit $5)`

const listed = (type: PlaceType, pages: string) => `select ${NAMES}
     from ${PARTS[type].from} cross join lateral (${pages}) page
    where ${PARTS[type].where}
    order by page.id desc limit $5`

const STORED = `s.status = $6 and (s.status not in (${UNFINISHED}) or s.expires_at > (select world_now()))`

/** Sessions that no worker has expired yet are few, and found by their own index before anything else is read. */
const OVERDUE = `with overdue as materialized (
     select id from investment_sessions
      where status in (${UNFINISHED}) and expires_at <= (select world_now()) order by expires_at)`

const statementsOf = (type: PlaceType) => ({
  all: statement<SessionRow>(`investment_sessions.list_of_${type}`, listed(type, newest(type, 'true'))),
  ofStatus: statement<SessionRow>(`investment_sessions.list_of_${type}_by_status`, listed(type, newest(type, STORED))),
  expired: statement<SessionRow>(
    `investment_sessions.list_of_${type}_expired`,
    `${OVERDUE}
   ${listed(type, `${newest(type, `s.status = 'expired'`)} union all ${newest(type, 's.id = any (array(select id from overdue))')}`)}`,
  ),
})

const LISTS = { company: statementsOf('company'), syndicate: statementsOf('syndicate') }

export type ListedSessions = {
  readonly before: string | null
  readonly spvId: Id<'offering'> | null
  readonly status: InvestmentSessionState | null
  /** Older versions count rows. */
  readonly skip: number
  readonly limit: number
}

/** What the app reads at a company or syndicate, the newest first. */
export async function listSessions(
  queries: WorldQueries,
  { type, app, target }: PartnerSide,
  { before, spvId, status, skip, limit }: ListedSessions,
): Promise<readonly SessionRow[]> {
  const { all, ofStatus, expired } = LISTS[type]
  // Each part is cut to the page, so rows to skip are read with it.
  const asked = [app, target, before, spvId, skip + limit]
  const read = async () => {
    if (status === null) return queries.many(all, asked)
    return status === 'expired' ? queries.many(expired, asked) : queries.many(ofStatus, [...asked, status])
  }
  return (await read()).slice(skip)
}

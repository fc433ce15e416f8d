import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { type Cents, parseCents } from '#kernel/money.ts'
import type { OfferingState } from '#market/offerings/index.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { FundingStatus, InvestmentSessionState, KycStatus } from '../investment-session-states.ts'

/** An app that sends people to an offering, and its installation: on the company, or on a syndicate that runs the offering. */
export type PartnerSide = {
  readonly type: 'company' | 'syndicate'
  readonly target: Id<'company'> | Id<'syndicate'>
  readonly installation: Id<'installation'>
  readonly app: Id<'app'>
}

export type Recipient = { readonly email: string } | { readonly userId: Id<'user'> }

/** A session as its partner sees it. */
export type SessionRow = {
  readonly id: Id<'investmentSession'>
  readonly spv_id: Id<'offering'>
  readonly status: InvestmentSessionState
  readonly email: string | null
  /** The currency of the offering. */
  readonly currency: string
  /** bigint, as text. */
  readonly allocation_cents: string | null
  readonly kyc_status: KycStatus | null
  readonly funding_status: FundingStatus | null
  readonly investment_id: Id<'investment'> | null
  /** JSON text. */
  readonly metadata: string
  readonly created_at: WorldTime
  readonly expires_at: WorldTime
  /** The installation that created the session. */
  readonly created_by: Id<'installation'>
}

const UNFINISHED = `'pending', 'in_progress', 'abandoned'`

/** Columns of `investment_sessions s`. A session whose time is over counts as expired, even before a worker has recorded that. */
const SESSION_COLUMNS = `s.id, s.offering_id as spv_id,
          case when s.status in (${UNFINISHED}) and s.expires_at <= (select world_now()) then 'expired' else s.status end
            as status,
          s.email, (select o.currency from offerings o where o.id = s.offering_id) as currency, s.allocation_cents, s.kyc_status, s.funding_status, s.investment_id, s.metadata, s.created_at, s.expires_at,
          s.installation_id as created_by`

/** An app at one company or syndicate. It may have several installations there, because revoked ones count too. */
export type Owner = Pick<PartnerSide, 'app' | 'target'>

/**
 * A condition: the app $1 may read `investment_sessions s` at the company or syndicate $2. "The session is readable from either":
 * at the session's company, no matter through which installation the app created it, and at the syndicate on which the app created it.
 */
const READABLE = `s.app_id = $1 and (
          exists (select from offerings o where o.id = s.offering_id and o.company_id = $2)
          or exists (select from installations n where n.id = s.installation_id and n.syndicate_id = $2))`

/**
 * The app's installations at one company or syndicate, also revoked ones. So an app that was installed again there can cancel its
 * earlier sessions. If the app requests a second session for the same person and offering, it gets the active earlier session.
 */
const OURS = `select n.id from installations n
                      where n.app_id = $1 and coalesce(n.company_id, n.syndicate_id) = $2`

const FIND = statement<SessionRow>(
  'investment_sessions.find_of_partner',
  `select ${SESSION_COLUMNS} from investment_sessions s where s.id = $3 and ${READABLE}`,
)

export async function findSession(
  queries: WorldQueries,
  { app, target }: Owner,
  id: Id<'investmentSession'>,
): Promise<SessionRow | null> {
  return queries.maybeOne(FIND, [app, target, id])
}

const CREATED_HERE = statement<{ here: boolean }>(
  'investment_sessions.created_here',
  `select exists (select from investment_sessions s where s.id = $3 and s.installation_id in (${OURS})) as here`,
)

/** Whether the app created the session on this company or syndicate. */
export async function isCreatedHere(
  queries: WorldQueries,
  { app, target }: Owner,
  id: Id<'investmentSession'>,
): Promise<boolean> {
  return (await queries.one(CREATED_HERE, [app, target, id])).here
}

const ONE_AT_A_TIME = statement(
  'investment_sessions.one_at_a_time',
  'select pg_advisory_xact_lock(hashtextextended($1, 7310552))',
)

/**
 * A request that creates a session takes this lock first. So the second of two concurrent requests for the same person sees the session
 * of the first.
 */
export async function waitForTurn(tx: Tx, { app, target }: Owner, about: string): Promise<void> {
  await tx.run(ONE_AT_A_TIME, [`investment session ${app} ${target} ${about}`])
}

const ACTIVE = `s.status in (${UNFINISHED}) and s.expires_at > world_now()`

const ACTIVE_OF_ADDRESS = statement<{ id: Id<'investmentSession'> }>(
  'investment_sessions.active_of_address',
  `select s.id from investment_sessions s
    where lower(s.email) = lower($4 collate "C") and s.offering_id = $3 and ${ACTIVE} and s.installation_id in (${OURS})
    order by s.id desc limit 1`,
)

/** Only sessions for the account. A session for an email address is not returned, because it would reveal the account's address. */
const ACTIVE_OF_USER = statement<{ id: Id<'investmentSession'> }>(
  'investment_sessions.active_of_user',
  `select s.id from investment_sessions s
    where s.user_id = $4 and s.email is null and s.offering_id = $3 and ${ACTIVE} and s.installation_id in (${OURS})
    order by s.id desc limit 1`,
)

export async function findActive(
  tx: Tx,
  { app, target }: Owner,
  { spvId, recipient }: { readonly spvId: Id<'offering'>; readonly recipient: Recipient },
): Promise<Id<'investmentSession'> | null> {
  const found =
    'email' in recipient
      ? await tx.maybeOne(ACTIVE_OF_ADDRESS, [app, target, spvId, recipient.email])
      : await tx.maybeOne(ACTIVE_OF_USER, [app, target, spvId, recipient.userId])
  return found?.id ?? null
}

export type SessionEvent = {
  readonly id: Id<'event'>
  readonly event: string
  readonly occurred_at: WorldTime
}

const EVENTS = statement<SessionEvent>(
  'investment_sessions.events',
  `select id, name as event, occurred_at from events
    where investment_session_id = $1 and name like 'investment\\_session.%' order by occurred_at, id`,
)

export async function eventsOf(queries: WorldQueries, id: Id<'investmentSession'>): Promise<readonly SessionEvent[]> {
  return queries.many(EVENTS, [id])
}

const NAMES = `page.id, page.spv_id, page.status, page.email, page.currency, page.allocation_cents, page.kyc_status, page.funding_status,
          page.investment_id, page.metadata, page.created_at, page.expires_at, page.created_by`

/**
 * No index has all sessions of an app at a company or syndicate in the order of their ids. So the list is merged from parts, each with
 * an index in that order: for a company one part for each of its offerings, for a syndicate one for each of the app's installations there.
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

/** The newest sessions of one part: at most $5, the sum of the skipped rows and the rows of the page. */
const newest = (type: PlaceType, which: string) => `(
       select ${SESSION_COLUMNS} from investment_sessions s
        where ${PARTS[type].part} and ($3::text is null or s.id < $3) and ${which}
        order by s.id desc limit $5)`

const listed = (type: PlaceType, pages: string) => `select ${NAMES}
     from ${PARTS[type].from} cross join lateral (${pages}) page
    where ${PARTS[type].where}
    order by page.id desc limit $5`

const STORED = `s.status = $6 and (s.status not in (${UNFINISHED}) or s.expires_at > (select world_now()))`

/** The few sessions past their time that no worker has expired yet. They have a partial index. */
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

type ListedSessions = {
  readonly before: string | null
  readonly spvId: Id<'offering'> | null
  readonly status: InvestmentSessionState | null
  /** How many rows to skip, because the cursors of older versions count rows. */
  readonly skip: number
  readonly limit: number
}

/** The sessions that the app may read at a company or syndicate, newest first. */
export async function listSessions(
  queries: WorldQueries,
  { type, app, target }: PartnerSide,
  { before, spvId, status, skip, limit }: ListedSessions,
): Promise<readonly SessionRow[]> {
  const { all, ofStatus, expired } = LISTS[type]
  // Each part returns at most this many rows, which must include the rows to skip.
  const values = [app, target, before, spvId, skip + limit]
  const read = async () => {
    if (status === null) return queries.many(all, values)
    return status === 'expired' ? queries.many(expired, values) : queries.many(ofStatus, [...values, status])
  }
  return (await read()).slice(skip)
}

/** A session with the fields that its page needs. */
export type PageSession = {
  readonly id: Id<'investmentSession'>
  readonly offering: Id<'offering'>
  readonly status: InvestmentSessionState
  /** The recipient's user. Null for a session by address until a person with an account continues it. */
  readonly user: Id<'user'> | null
  readonly allocation: Cents | null
  readonly kyc: KycStatus | null
  readonly funding: FundingStatus | null
  readonly installation: Id<'installation'> | null
  readonly successUrl: string | null
  readonly expiresAt: WorldTime
  readonly startedAt: WorldTime | null
  readonly endedAt: WorldTime | null
  readonly now: WorldTime
}

type Row = Omit<PageSession, 'allocation'> & { readonly allocation: string | null }

/** From expires_at on, the status is `expired`, even before a worker has recorded that. */
const PAGE_FIND = statement<Row>(
  'investment_sessions.of_page',
  `select id, offering_id as offering, user_id as "user", allocation_cents as allocation, kyc_status as kyc,
          funding_status as funding, installation_id as installation, success_url as "successUrl",
          expires_at as "expiresAt", started_at as "startedAt", ended_at as "endedAt", world_now() as now,
          case when status in ('pending', 'in_progress', 'abandoned') and expires_at <= world_now()
               then 'expired' else status end as status
     from investment_sessions where id = $1`,
)

export async function findPageSession(queries: WorldQueries, id: Id<'investmentSession'>): Promise<PageSession | null> {
  const row = await queries.maybeOne(PAGE_FIND, [id])
  return row === null ? null : { ...row, allocation: parseCents(row.allocation) }
}

export type RunningOffering = {
  readonly id: Id<'offering'>
  readonly status: OfferingState
  readonly runs: boolean
  /** Whether every visitor can see the offering: it is listed, past its opening, and not only for accredited investors. */
  readonly public: boolean
}

const FIND_OFFERING = statement<RunningOffering>(
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
  return queries.maybeOne(FIND_OFFERING, [id, type, target])
}

/** A later installation of the same app on the same target counts too. A syndicate must still run the offering. */
const IS_STILL_INSTALLED = statement<{ installed: boolean }>(
  'investment_sessions.is_still_installed',
  `select exists (
     select from installations i join installations n on n.app_id = i.app_id and n.target_type = i.target_type
      where i.id = $1 and n.state = 'active'
        and coalesce(n.company_id, n.syndicate_id) = coalesce(i.company_id, i.syndicate_id)
        and (i.syndicate_id is null or exists (
              select from syndicate_deals d where d.syndicate_id = i.syndicate_id and d.offering_id = $2))) as installed`,
)

export async function isStillInstalled(
  queries: WorldQueries,
  installation: Id<'installation'>,
  offering: Id<'offering'>,
): Promise<boolean> {
  return (await queries.one(IS_STILL_INSTALLED, [installation, offering])).installed
}

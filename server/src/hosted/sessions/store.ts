import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { type Cents, parseCents } from '#kernel/money.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { FundingStatus, InvestmentSessionState, KycStatus } from './investment-session-states.ts'
import type { IneligibleReason, JoinSessionState } from './join-session-states.ts'
import type { DueSession } from './join-session-store.ts'

/** Measures the JSON as PostgreSQL stores it, which may be longer than the JSON that was sent: 1e300 has 301 characters. */
const MEASURE = statement<{ bytes: number }>(
  'sessions.measure_metadata',
  'select octet_length($1::jsonb::text) as bytes',
)

export async function measureMetadata(tx: Tx, json: string): Promise<number> {
  return (await tx.one(MEASURE, [json])).bytes
}

type Times = { readonly now: WorldTime; readonly later: WorldTime }

const TIMES = statement<Times>(
  'sessions.times',
  // World time is read once, because it advances within a statement and two calls would give different times.
  `with clock as materialized (select world_now() as now)
   select now, now + make_interval(hours => $1) as later from clock`,
)

/** World time now, and `hours` later. */
export async function nowAndLater(queries: WorldQueries, hours: number): Promise<Times> {
  return queries.one(TIMES, [hours])
}

type Metadata = { readonly [key: string]: unknown }

/** A stored join session. */
export type JoinSessionView = {
  readonly id: Id<'joinSession'>
  readonly syndicate: Id<'syndicate'>
  readonly status: JoinSessionState
  readonly ineligible_reason: IneligibleReason | null
  readonly user: Id<'user'> | null
  readonly membership: Id<'membership'> | null
  readonly installation: Id<'installation'> | null
  readonly theme: {
    readonly id: string | null
    readonly version: number | null
    readonly override_fingerprint: string | null
  }
  readonly success_url: string | null
  readonly metadata: Metadata
  readonly created_at: WorldTime
  readonly expires_at: WorldTime
}

const JOIN_SESSION = statement<Omit<JoinSessionView, 'theme' | 'metadata'> & { theme: string; metadata: string }>(
  'join_sessions.view',
  `select id, syndicate_id as syndicate, status, ineligible_reason, user_id as "user", membership_id as membership,
          installation_id as installation,
          jsonb_build_object('id', theme_id, 'version', theme_version,
                             'override_fingerprint', theme_override_fingerprint) as theme,
          success_url, metadata, created_at, expires_at
     from join_sessions where id = $1`,
)

export async function readJoinSession(queries: WorldQueries, id: Id<'joinSession'>): Promise<JoinSessionView | null> {
  const row = await queries.maybeOne(JOIN_SESSION, [id])
  return row === null ? null : { ...row, theme: JSON.parse(row.theme), metadata: JSON.parse(row.metadata) }
}

/** A stored investment session. */
export type InvestmentSessionView = {
  readonly id: Id<'investmentSession'>
  readonly offering: Id<'offering'>
  readonly status: InvestmentSessionState
  readonly email: string | null
  readonly user: Id<'user'> | null
  readonly currency: string
  readonly allocation_cents: Cents | null
  readonly kyc_status: KycStatus | null
  readonly funding_status: FundingStatus | null
  readonly investment: Id<'investment'> | null
  readonly installation: Id<'installation'> | null
  readonly success_url: string | null
  readonly metadata: Metadata
  readonly created_at: WorldTime
  readonly started_at: WorldTime | null
  readonly ended_at: WorldTime | null
  readonly expires_at: WorldTime
}

type InvestmentSessionViewRow = Omit<InvestmentSessionView, 'allocation_cents' | 'metadata'> & {
  readonly allocation_cents: string | null
  readonly metadata: string
}

const INVESTMENT_SESSION = statement<InvestmentSessionViewRow>(
  'investment_sessions.view',
  `select id, offering_id as offering, status, email, user_id as "user", (select o.currency from offerings o where o.id = offering_id) as currency, allocation_cents,
          kyc_status, funding_status,
          investment_id as investment, installation_id as installation, success_url, metadata, created_at, started_at,
          ended_at, expires_at
     from investment_sessions where id = $1`,
)

export async function readInvestmentSession(
  queries: WorldQueries,
  id: Id<'investmentSession'>,
): Promise<InvestmentSessionView | null> {
  const row = await queries.maybeOne(INVESTMENT_SESSION, [id])
  if (row === null) return null
  return { ...row, allocation_cents: parseCents(row.allocation_cents), metadata: JSON.parse(row.metadata) }
}

type NewInvestmentSession = {
  readonly id: Id<'investmentSession'>
  readonly offeringId: Id<'offering'>
  readonly email: string | null
  readonly userId: Id<'user'> | null
  readonly allocationCents: number | null
  readonly successUrl: string | null
  readonly metadata: { readonly [key: string]: unknown }
  readonly installationId: Id<'installation'> | null
  readonly createdAt: WorldTime
  readonly expiresAt: string
}

const INSERT = statement(
  'investment_sessions.insert',
  `insert into investment_sessions (id, offering_id, email, user_id, allocation_cents, success_url, metadata,
                                    installation_id, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
)

export async function insertInvestmentSession(tx: Tx, session: NewInvestmentSession): Promise<void> {
  const inserting = tx.run(INSERT, [
    session.id,
    session.offeringId,
    session.email,
    session.userId,
    session.allocationCents,
    session.successUrl,
    JSON.stringify(session.metadata),
    session.installationId,
    session.createdAt,
    session.expiresAt,
  ])
  await inserting
}

/** An investment session with the columns that its moves need, and the company of its offering. */
export type InvestmentSessionRow = {
  readonly id: Id<'investmentSession'>
  readonly offering_id: Id<'offering'>
  readonly company_id: Id<'company'>
  readonly status: InvestmentSessionState
  readonly email: string | null
  readonly user_id: Id<'user'> | null
  /** bigint, as text. */
  readonly allocation_cents: string | null
  /** The installation that created the session; if the app was reinstalled on the same target, its active installation. */
  readonly installation_id: Id<'installation'> | null
  /** The app that created the session; null if no installation created it. */
  readonly app_id: Id<'app'> | null
  readonly investment_id: Id<'investment'> | null
  readonly expires_at: WorldTime
}

const LOCK = statement<InvestmentSessionRow>(
  'investment_sessions.lock',
  `select s.id, s.offering_id, (select o.company_id from offerings o where o.id = s.offering_id) as company_id, s.status,
          s.email, s.user_id, s.allocation_cents, s.investment_id, s.expires_at, s.app_id,
          coalesce((select n.id from installations i
                      join installations n on n.app_id = i.app_id and n.target_type = i.target_type and n.state = 'active'
                       and coalesce(n.company_id, n.syndicate_id) = coalesce(i.company_id, i.syndicate_id)
                     where i.id = s.installation_id), s.installation_id) as installation_id
     from investment_sessions s where s.id = $1 for no key update of s`,
)

/** Lock order: after the people. Other data of a move (an offering's company, an investment's investor) never changes and needs no lock. */
export async function lockInvestmentSession(tx: Tx, id: Id<'investmentSession'>): Promise<InvestmentSessionRow | null> {
  return tx.maybeOne(LOCK, [id])
}

const UPDATE = statement(
  'investment_sessions.update',
  `update investment_sessions
      set status = $2, user_id = $3, investment_id = $4, started_at = coalesce(started_at, $5), ended_at = $6
    where id = $1`,
)

export async function updateInvestmentSession(
  tx: Tx,
  session: InvestmentSessionRow,
  { startedAt, endedAt }: { startedAt: WorldTime | null; endedAt: WorldTime | null },
): Promise<void> {
  const { id, status, user_id, investment_id } = session
  await tx.run(UPDATE, [id, status, user_id, investment_id, startedAt, endedAt])
}

const CLAIM = statement(
  'investment_sessions.claim',
  'update investment_sessions set user_id = $2 where id = $1 and user_id is null',
)

/** Assigns a session without a user to the user who continues it. */
export async function claimInvestmentSession(tx: Tx, id: Id<'investmentSession'>, user: Id<'user'>): Promise<void> {
  await tx.run(CLAIM, [id, user])
}

/** A failed identity check clears an earlier payment failure, because no payment is due any more. */
const SET_PROGRESS = statement(
  'investment_sessions.set_progress',
  `update investment_sessions
      set kyc_status = coalesce($2, kyc_status),
          funding_status = case when $3::text is null and $2 = 'failed'
                                     and funding_status in ('card_declined', 'insufficient_funds')
                                then null else coalesce($3, funding_status) end
    where id = $1`,
)

export async function setProgress(
  tx: Tx,
  id: Id<'investmentSession'>,
  progress: { kycStatus: KycStatus | null; fundingStatus: FundingStatus | null },
): Promise<void> {
  await tx.run(SET_PROGRESS, [id, progress.kycStatus, progress.fundingStatus])
}

const DUE = statement<DueSession<'investmentSession'>>(
  'investment_sessions.due',
  `select id, expires_at from investment_sessions
    where status in ('pending', 'in_progress', 'abandoned') and expires_at <= world_now()
    order by expires_at, id
    limit $1
    for no key update skip locked`,
)

export async function takeDueInvestmentSessions(
  tx: Tx,
  limit: number,
): Promise<readonly DueSession<'investmentSession'>[]> {
  return tx.many(DUE, [limit])
}

/** Every session needs a recipient: an address or a user. So the user replaces the address. */
const ERASE = statement(
  'investment_sessions.erase',
  `update investment_sessions set user_id = $1, email = null
    where email is not null and (user_id = $1 or user_id is null
          and lower(email) in (select lower(each collate "C") from unnest($2::text[]) each))`,
)

export async function eraseAddresses(tx: Tx, userId: Id<'user'>, addresses: readonly string[]): Promise<void> {
  await tx.run(ERASE, [userId, addresses])
}

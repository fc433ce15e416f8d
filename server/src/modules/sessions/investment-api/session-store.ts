import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { FundingStatus, KycStatus } from '../investment-session.ts'
import type { InvestmentSessionState } from '../investment-session-states.ts'
import type { Recipient } from './recipient.ts'

/** A session as its partner sees it. */
export type SessionRow = {
  readonly id: Id<'investmentSession'>
  readonly spv_id: Id<'offering'>
  readonly status: InvestmentSessionState
  readonly email: string | null
  /** bigint, as text. */
  readonly allocation_cents: string | null
  readonly kyc_status: KycStatus | null
  readonly funding_status: FundingStatus | null
  readonly investment_id: Id<'investment'> | null
  /** JSON text. */
  readonly metadata: string
  readonly created_at: WorldTime
  readonly expires_at: WorldTime
}

/** What is over by the clock is over, though no worker may have come by yet. */
const STATUS = `case when status in ('pending', 'in_progress', 'abandoned') and expires_at <= world_now()
                     then 'expired' else status end`
const COLUMNS = `id, offering_id as spv_id, ${STATUS} as status, email, allocation_cents, kyc_status, funding_status,
          investment_id, metadata, created_at, expires_at`

const FIND = statement<SessionRow>(
  'investment_sessions.find_of_partner',
  `select ${COLUMNS} from investment_sessions where id = $2 and installation_id = $1`,
)

/** "Other apps on the same company never receive them": a session is there for the installation that made it alone. */
export async function findSession(
  queries: WorldQueries,
  installation: Id<'installation'>,
  id: Id<'investmentSession'>,
): Promise<SessionRow | null> {
  return queries.maybeOne(FIND, [installation, id])
}

const LIST = statement<SessionRow>(
  'investment_sessions.list_of_partner',
  `select ${COLUMNS} from investment_sessions
    where installation_id = $1 and ($2::text is null or id < $2) and ($3::text is null or offering_id = $3)
      and ($4::text is null or ${STATUS} = $4)
    order by id desc limit $5`,
)

export type ListedSessions = {
  readonly before: string | null
  readonly spvId: Id<'offering'> | null
  readonly status: InvestmentSessionState | null
  readonly limit: number
}

export async function listSessions(
  queries: WorldQueries,
  installation: Id<'installation'>,
  { before, spvId, status, limit }: ListedSessions,
): Promise<readonly SessionRow[]> {
  return queries.many(LIST, [installation, before, spvId, status, limit])
}

const ONE_AT_A_TIME = statement(
  'investment_sessions.one_at_a_time',
  'select pg_advisory_xact_lock(hashtextextended($1, 7310552))',
)

/** Of two that make a session for the same person at once, the second sees the first one's. Before every other lock. */
export async function waitForTurn(tx: Tx, installation: Id<'installation'>, about: string): Promise<void> {
  await tx.run(ONE_AT_A_TIME, [`investment session ${installation} ${about}`])
}

const ACTIVE = `status in ('pending', 'in_progress', 'abandoned') and expires_at > world_now()`

const ACTIVE_OF_ADDRESS = statement<{ id: Id<'investmentSession'> }>(
  'investment_sessions.active_of_address',
  `select id from investment_sessions
    where lower(email) = lower($3 collate "C") and installation_id = $1 and offering_id = $2 and ${ACTIVE}
    order by id desc limit 1`,
)

/** Only what was addressed to the account: a session that went to an address would tell which one is theirs. */
const ACTIVE_OF_USER = statement<{ id: Id<'investmentSession'> }>(
  'investment_sessions.active_of_user',
  `select id from investment_sessions
    where user_id = $3 and email is null and installation_id = $1 and offering_id = $2 and ${ACTIVE}
    order by id desc limit 1`,
)

export async function findActive(
  tx: Tx,
  installation: Id<'installation'>,
  { spvId, recipient }: { readonly spvId: Id<'offering'>; readonly recipient: Recipient },
): Promise<Id<'investmentSession'> | null> {
  const found =
    'email' in recipient
      ? await tx.maybeOne(ACTIVE_OF_ADDRESS, [installation, spvId, recipient.email])
      : await tx.maybeOne(ACTIVE_OF_USER, [installation, spvId, recipient.userId])
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

const NOW = statement<{ now: WorldTime; later: WorldTime }>(
  'investment_sessions.now',
  'select world_now() as now, world_now() + make_interval(hours => $1) as later',
)

/** The world's time, and so many hours after it. */
export async function nowAndLater(queries: WorldQueries, hours: number): Promise<{ now: WorldTime; later: WorldTime }> {
  return queries.one(NOW, [hours])
}

import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { type Cents, parseCents } from '#kernel/money.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { FundingStatus, KycStatus } from './investment-session.ts'
import type { InvestmentSessionState } from './investment-session-states.ts'
import type { IneligibleReason } from './join-session.ts'
import type { JoinSessionState } from './join-session-states.ts'

type Metadata = { readonly [key: string]: unknown }

/** What is kept of a join session, as it is. */
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

/** What is kept of an investment session, as it is. */
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

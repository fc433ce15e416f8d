import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { type Cents, parseCents } from '#kernel/money.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { FundingStatus, KycStatus } from '../../investment-session.ts'
import type { InvestmentSessionState } from '../../investment-session-states.ts'

/** A session as its page sees it. */
export type PageSession = {
  readonly id: Id<'investmentSession'>
  readonly offering: Id<'offering'>
  readonly status: InvestmentSessionState
  /** Whose it is, once that is known: an address becomes an account when somebody begins. */
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

/** What is over by the clock is over, though no worker may have come by yet. */
const FIND = statement<Row>(
  'investment_sessions.of_page',
  `select id, offering_id as offering, user_id as "user", allocation_cents as allocation, kyc_status as kyc,
          funding_status as funding, installation_id as installation, success_url as "successUrl",
          expires_at as "expiresAt", started_at as "startedAt", ended_at as "endedAt", world_now() as now,
          case when status in ('pending', 'in_progress', 'abandoned') and expires_at <= world_now()
               then 'expired' else status end as status
     from investment_sessions where id = $1`,
)

export async function findPageSession(queries: WorldQueries, id: Id<'investmentSession'>): Promise<PageSession | null> {
  const row = await queries.maybeOne(FIND, [id])
  return row === null ? null : { ...row, allocation: parseCents(row.allocation) }
}

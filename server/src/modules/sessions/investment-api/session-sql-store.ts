import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { FundingStatus, KycStatus } from '../investment-session.ts'
import type { InvestmentSessionState } from '../investment-session-states.ts'
import type { PartnerSide } from './partner-side.ts'

/** A session as its partner sees it. */
export type SessionRow = {
  readonly id: Id<'investmentSession'>
  readonly spv_id: Id<'offering'>
  readonly status: InvestmentSessionState
  readonly email: string | null
  /** The offering's. */
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
  /** The installation that created it. */
  readonly created_by: Id<'installation'>
}

export const UNFINISHED = `'pending', 'in_progress', 'abandoned'`

/** Of `investment_sessions s`. What is over by the clock is over, though no worker may have come by yet. */
export const SESSION_COLUMNS = `s.id, s.offering_id as spv_id,
          case when s.status in (${UNFINISHED}) and s.expires_at <= (select world_now()) then 'expired' else s.status end
            as status,
          s.email, (select o.currency from offerings o where o.id = s.offering_id) as currency, s.allocation_cents, s.kyc_status, s.funding_status, s.investment_id, s.metadata, s.created_at, s.expires_at,
          s.installation_id as created_by`

/** An app at one company or syndicate, whichever of its installations there it uses. */
export type Owner = Pick<PartnerSide, 'app' | 'target'>

/**
 * Which `investment_sessions s` the app $1 reads at the company or syndicate $2. "The session is readable from either": from the
 * session's company, wherever the app created it, and from the syndicate on which the app created it.
 */
export const READABLE = `s.app_id = $1 and (
          exists (select from offerings o where o.id = s.offering_id and o.company_id = $2)
          or exists (select from installations n where n.id = s.installation_id and n.syndicate_id = $2))`

/**
 * The app's installations at one place, revoked ones included: an app that was installed anew there cancels, and is given again,
 * what it created before.
 */
export const OURS = `select n.id from installations n
                      where n.app_id = $1 and coalesce(n.company_id, n.syndicate_id) = $2`

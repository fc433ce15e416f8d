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
}

export const UNFINISHED = `'pending', 'in_progress', 'abandoned'`

/** Of `investment_sessions s`. What is over by the clock is over, though no worker may have come by yet. */
export const SESSION_COLUMNS = `s.id, s.offering_id as spv_id,
          case when s.status in (${UNFINISHED}) and s.expires_at <= (select world_now()) then 'expired' else s.status end
            as status,
          s.email, (select o.currency from offerings o where o.id = s.offering_id) as currency, s.allocation_cents, s.kyc_status, s.funding_status, s.investment_id, s.metadata, s.created_at, s.expires_at`

/** Whose a session is. */
export type Owner = Pick<PartnerSide, 'app' | 'target'>

/**
 * "Other apps on the same company never receive them": an app's own, at one company or syndicate, through whichever of its
 * installations there. One that was installed anew must be able to take back what it sent out before.
 */
export const OURS = `select n.id from installations n
                      where n.app_id = $1 and coalesce(n.company_id, n.syndicate_id) = $2`

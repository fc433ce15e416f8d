import type { WorldTime } from '#kernel/clock.ts'
import type { EventData, NewEvent } from '#modules/events/index.ts'
import { isoWeek } from '../iso-week.ts'
import type { OpaqueTokens } from '../tokens/opaque-tokens.ts'
import { amountTier } from './amount-tier.ts'
import type { Credit } from './store.ts'

type Made = { readonly tokens: OpaqueTokens; readonly occurredAt: WorldTime }

/**
 * "referral_code, company, and the anonymized row", as it is at this moment. By the company and the code's app fan-out finds
 * whoever may hear of it, and by the investment whether the company may see it still; whose it is stands nowhere.
 */
export function referredEvent({ invested, code, timeToInvest }: Credit, { tokens, occurredAt }: Made): NewEvent {
  const { id, company, status, amount_cents, applied_at } = invested
  const data: EventData<'investment.referred'> = {
    referral_code: code.id,
    company,
    ...tokens,
    week: isoWeek(applied_at),
    amount_tier: amountTier(amount_cents),
    status,
    time_to_invest: timeToInvest,
  }
  const subject = { companyId: company, appId: code.app, investmentId: id }
  return { name: 'investment.referred', subject, occurredAt, data }
}

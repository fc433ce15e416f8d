import { type Static, Type } from 'typebox'
import { exactly, fakeId, IsoWeek, idOf, oneOf, Timestamp } from './fields.ts'

/** "Never an investor identity": two opaque tokens, which differ between companies, and coarse figures. */
const anonymizedRow = {
  investment_token: Type.String({
    description: 'Opaque: the same for this investment in the statistics of this company.',
  }),
  investor_token: Type.String({ description: 'Opaque: one investor at this company, and nobody at any other.' }),
  week: IsoWeek,
  /** Whole units of the offering's currency: below 1,000; below 10,000; from there up. */
  amount_tier: oneOf('small', 'medium', 'large'),
  status: oneOf('active', 'reserved', 'executed', 'canceled', 'converted'),
  /** From the click to the investment: within an hour, within 24 hours, later. */
  time_to_invest: oneOf('direct', 'assisted', 'delayed'),
}

export const REFERRAL_DATA = {
  'investment.referred': exactly({ referral_code: idOf('referralCode'), company: idOf('company'), ...anonymizedRow }),
  'referral_cohorts.published': exactly({ week: IsoWeek, published_at: Timestamp }),
}

type Data = { [N in keyof typeof REFERRAL_DATA]: Static<(typeof REFERRAL_DATA)[N]> }

export const REFERRAL_EXAMPLES: Data = {
  'investment.referred': {
    referral_code: fakeId('referralCode'),
    company: fakeId('company'),
    investment_token: 'example-investment-token',
    investor_token: 'example-investor-token',
    week: '2026-W02',
    amount_tier: 'small',
    status: 'active',
    time_to_invest: 'direct',
  },
  'referral_cohorts.published': { week: '2026-W02', published_at: '2026-01-12T06:00:00Z' },
}

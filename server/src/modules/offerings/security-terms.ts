import type { Security, SecurityType } from './security.ts'

/** Every term of a kind, as it stands when nothing was said about it. */
const UNSAID = {
  safe: { valuation_cap: null, discount_percent: null, most_favored_nation: false, pro_rata: false },
  equity: { share_price: null, pre_money_valuation: null, share_class: null },
  convertible_note: {
    valuation_cap: null,
    discount_percent: null,
    interest_rate_percent: null,
    maturity_months: null,
    most_favored_nation: false,
  },
  revenue_share: {
    revenue_share_percent: null,
    repayment_cap_multiple: null,
    payment_period: null,
    revenue_basis: null,
    secured: false,
    guarantor: null,
  },
  debt: { interest_rate_percent: null, maturity_months: null, first_payment_date: null },
  fund: {},
  other: { name: null, description: null, more_info_url: null },
} as const satisfies { readonly [K in SecurityType]: object }

type Terms = { readonly [term: string]: string | number | boolean | null }

/**
 * Terms as they are stored and shown: every term of the kind is there. `uncapped` is "the inverse of cap present", so
 * it is not asked for, lest the two disagree.
 */
export function completeTerms({ type, terms }: Security): Terms {
  const complete: Terms = { ...UNSAID[type], ...terms }
  return 'valuation_cap' in complete ? { ...complete, uncapped: complete['valuation_cap'] === null } : complete
}

/** What was stored, in the form in which it is given: `uncapped` is made anew each time. */
export function givenTerms(type: SecurityType, stored: Terms): Security {
  const { uncapped: _, ...terms } = stored
  return { type, terms } as Security
}

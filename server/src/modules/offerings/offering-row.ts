import type { Id } from '#kernel/ids.ts'
import { parseCents } from '#kernel/money.ts'
import type { SqlValue } from '#system/postgres/statement.ts'
import type { IntendedSecurity } from './intended-security.ts'
import type { Exemption, Offering, OfferingTerms } from './offering.ts'
import type { Security, SecurityType } from './security.ts'

/** An offering as its table has it, and there and back. */
export type OfferingRow = Omit<
  Offering,
  | 'company'
  | 'raise'
  | 'security'
  | 'intended_security'
  | `${'funding_target' | 'min_investment' | 'max_investment'}_cents`
> & {
  readonly company_id: Id<'company'>
  readonly raise_id: Id<'raise'>
  readonly exemption: Exemption
  readonly security_type: SecurityType | null
  /** JSON text. */
  readonly security_terms: string | null
  readonly intended_security_type: IntendedSecurity | null
  /** bigint arrives as text. */
  readonly funding_target_cents: string | null
  readonly min_investment_cents: string | null
  readonly max_investment_cents: string | null
}

/** Of `offerings o`. */
export const COLUMNS = `o.id, o.company_id, o.raise_id, o.currency, o.status, o.name, o.description, o.exemption,
          o.testing_the_waters, o.security_type, o.security_terms, o.intended_security_type, o.funding_target_cents,
          o.min_investment_cents, o.max_investment_cents, o.opens_at, o.closes_at, o.listed, o.accredited_only`

/** In the order in which the statements of the store number them. */
export function columnsOf(terms: OfferingTerms): SqlValue[] {
  return [
    terms.name,
    terms.description,
    terms.exemption,
    terms.testing_the_waters,
    terms.security === null ? null : terms.security.type,
    terms.security === null ? null : JSON.stringify(completeTerms(terms.security)),
    terms.intended_security,
    terms.funding_target_cents,
    terms.min_investment_cents,
    terms.max_investment_cents,
    terms.opens_at,
    terms.closes_at,
    terms.listed,
    terms.accredited_only,
  ]
}

export function offeringOf(row: OfferingRow): Offering {
  return {
    id: row.id,
    company: row.company_id,
    raise: row.raise_id,
    currency: row.currency,
    status: row.status,
    name: row.name,
    description: row.description,
    exemption: row.exemption,
    testing_the_waters: row.testing_the_waters,
    security: row.security_type && givenTerms(row.security_type, JSON.parse(row.security_terms ?? '{}')),
    intended_security: row.intended_security_type,
    funding_target_cents: parseCents(row.funding_target_cents),
    min_investment_cents: parseCents(row.min_investment_cents),
    max_investment_cents: parseCents(row.max_investment_cents),
    opens_at: row.opens_at,
    closes_at: row.closes_at,
    listed: row.listed,
    accredited_only: row.accredited_only,
  }
}

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

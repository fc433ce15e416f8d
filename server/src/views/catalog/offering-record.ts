import type { Static } from 'typebox'
import { absoluteUrl } from '#http/response-bodies.ts'
import { type Cents, parseCents, wholeUnits } from '#kernel/money.ts'
import type { IntendedSecurity } from '#market/offerings/index.ts'
import type { RoundRow } from './company-store.ts'
import { digest } from './conditional.ts'
import type { ShownOfferingRow } from './offering-store.ts'
import { securityLabel, tag } from './presentation.ts'
import type { OfferingSchema, SecuritySchema } from './schemas.ts'

export type OfferingRecord = Static<typeof OfferingSchema>
type Attributes = OfferingRecord['attributes']

/** An offering in the newest version of the API. */
export function offeringRecord(row: ShownOfferingRow, origin: string): OfferingRecord {
  const attributes = publicAttributes(row, origin)
  return {
    id: row.id,
    type: 'offering',
    company: row.company_id,
    attributes: { ...attributes, ...personalAttributes(row) },
    warnings: warningsOf(row),
    etag: digest(JSON.stringify(attributes)),
  }
}

function publicAttributes(row: ShownOfferingRow, origin: string): Attributes {
  const intended = intendedOf(row)
  return {
    company_name: row.company_name,
    tagline: row.tagline,
    url: absoluteUrl(origin, row.page_url),
    card_image_url: absoluteUrl(origin, row.card_image_url),
    logo_url: absoluteUrl(origin, row.logo_url),
    exemption: row.exemption,
    security: securityOf(row),
    intended_security: intended === null ? null : { type: intended, label: securityLabel(intended) },
    industries: row.industries.map(tag),
    business_models: row.business_models.map(tag),
    status: row.status,
    testing_the_waters: row.testing_the_waters,
    currency: row.currency,
    funding_target: unitsOf(row.funding_target_cents),
    funding_target_cents: parseCents(row.funding_target_cents),
    min_investment: unitsOf(row.min_investment_cents),
    min_investment_cents: parseCents(row.min_investment_cents),
    amount_raised: unitsOf(row.raised_cents),
    amount_raised_cents: parseCents(row.raised_cents),
    investor_count: row.investor_count,
    started_at: row.status === 'upcoming' ? null : row.opens_at,
    closes_at: row.status === 'open' ? row.closes_at : null,
    closed_at: row.closed_at,
  }
}

/** "Strict superset: same fields and ids, plus" these fields. The other attributes are the same as in the public view. */
function personalAttributes({ publicly_visible, invested, followed }: ShownOfferingRow): Partial<Attributes> {
  if (publicly_visible === null || invested === null || followed === null) return {}
  return { publicly_visible, invested, followed }
}

export function securityOf({
  security_type: type,
  security_terms: terms,
  testing_the_waters,
}: Pick<ShownOfferingRow, 'security_type' | 'security_terms' | 'testing_the_waters'>): Static<typeof SecuritySchema> {
  // "Null while a testing-the-waters offering's security is undecided": such a round sells nothing yet.
  if (type === null || terms === null || testing_the_waters) return { type: null, terms: null }
  return { type, label: securityLabel(type), terms: termsInCents(JSON.parse(terms)) }
}

type StoredTerms = { readonly valuation_cap?: string | null; readonly pre_money_valuation?: string | null }

/** In facts the amounts of terms are decimals in whole units; in records they are in minor units. */
function termsInCents({ valuation_cap, pre_money_valuation, ...terms }: StoredTerms) {
  return {
    ...(valuation_cap === undefined ? {} : { valuation_cap_cents: centsOfDecimal(valuation_cap) }),
    ...(pre_money_valuation === undefined ? {} : { pre_money_valuation_cents: centsOfDecimal(pre_money_valuation) }),
    ...terms,
  }
}

function centsOfDecimal(units: string | null): number | null {
  if (units === null) return null
  const [whole = '0', fraction = ''] = units.split('.')
  return Number(`${whole}${fraction.slice(0, 2).padEnd(2, '0')}`)
}

/**
 * A round that tests the waters may already have a security, but does not sell it yet, so the security is shown as the intended one.
 * `other` says nothing about the security, so it counts as undecided.
 */
export function intendedOf({
  testing_the_waters,
  intended_security_type,
  security_type,
}: Pick<RoundRow, 'testing_the_waters' | 'intended_security_type' | 'security_type'>): IntendedSecurity | null {
  if (!testing_the_waters) return null
  return intended_security_type ?? (security_type === 'other' ? null : security_type)
}

const CONCURRENT = 'Other rounds of the company are open, so its page shows more than amount_raised.'
const PRIOR = 'The company completed rounds before this one, so amount_raised is not the total that it raised.'

function warningsOf({ other_open, earlier_closed }: ShownOfferingRow): OfferingRecord['warnings'] {
  return [
    ...(other_open ? [{ code: 'concurrent_rounds' as const, message: CONCURRENT }] : []),
    ...(earlier_closed ? [{ code: 'prior_rounds' as const, message: PRIOR }] : []),
  ]
}

function unitsOf(cents: string | null): number | null {
  const amount: Cents | null = parseCents(cents)
  return amount === null ? null : wholeUnits(amount)
}

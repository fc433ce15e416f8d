import type { Id } from '@portico/server/kernel/ids.ts'
import type { Security } from '@portico/server/market/offerings/http.ts'
import type { DemoCompany } from './companies.ts'
import type { Exemption, RoundPlan, SecurityPlan } from './content/story.ts'
import { idAgo, stream } from './random.ts'
import { DAY_MS, type Timeline, timeText } from './timeline.ts'

export type DemoOffering = {
  readonly id: Id<'offering'>
  readonly company: DemoCompany
  readonly raise: Id<'raise'>
  readonly plan: RoundPlan
  readonly currency: 'usd' | 'eur'
}

const NAMES: Readonly<Record<Exemption, string>> = {
  reg_cf: 'Community round',
  reg_d_506b: 'Private round',
  reg_d_506c: 'Accredited round',
  reg_a: 'Public round',
  reg_s: 'International round',
  ecsp: 'European round',
}

export const testsTheWaters = ({ intended }: RoundPlan) => intended !== undefined

export function addOfferings(timeline: Timeline, companies: Iterable<DemoCompany>): readonly DemoOffering[] {
  const random = stream('offerings')
  const offerings: DemoOffering[] = []
  for (const company of companies) {
    const raises = new Map<string, Id<'raise'>>()
    company.story.rounds.forEach((plan, at) => {
      const prepared = Math.max(plan.opened, 0) + random.between(3, 9) + random.next()
      const label = plan.raise ?? `round ${at}`
      const raise = raises.get(label) ?? idAgo(random, 'raise', prepared)
      raises.set(label, raise)
      const currency = plan.exemption === 'ecsp' ? 'eur' : 'usd'
      const offering = { id: idAgo(random, 'offering', prepared), company, raise, plan, currency } as const
      offerings.push(offering)
      addOffering(timeline, offering, prepared)
    })
  }
  return offerings
}

function addOffering(timeline: Timeline, offering: DemoOffering, prepared: number): void {
  const { id, company, raise, plan, currency } = offering
  const closes = plan.closes ?? plan.closing
  timeline.add(timeline.ago(prepared), 'offering.created', {
    id,
    company: company.id,
    raise,
    currency,
    name: testsTheWaters(plan) ? 'Reservations' : NAMES[plan.exemption],
    description: company.story.about,
    exemption: plan.exemption,
    testing_the_waters: testsTheWaters(plan),
    ...(plan.security === null ? {} : { security: securityOf(plan.security, timeline) }),
    ...(plan.intended === undefined || plan.intended === null ? {} : { intended_security: plan.intended }),
    funding_target_cents: plan.target * 100,
    min_investment_cents: plan.min * 100,
    opens_at: timeText(timeline.ago(plan.opened)),
    ...(closes === undefined ? {} : { closes_at: timeText(timeline.ago(closes)) }),
    listed: plan.listed !== false,
    accredited_only: plan.accreditedOnly === true,
  })
  addCourse(timeline, offering)
}

/** Adds what happened to the offering after its creation. The timeline drops steps in the future. */
function addCourse(timeline: Timeline, { id, company, plan }: DemoOffering): void {
  timeline.add(timeline.ago(plan.opened), 'offering.opened', { id }, { changed: [company.id] })
  if (plan.closing !== undefined) {
    const expected_disbursement_at = timeText(timeline.ago(plan.closed ?? -4))
    timeline.add(
      timeline.ago(plan.closing),
      'offering.closing',
      { id, expected_disbursement_at },
      { changed: [company.id] },
    )
  }
  if (plan.closed !== undefined)
    timeline.add(timeline.ago(plan.closed), 'offering.closed', { id }, { changed: [company.id] })
  if (plan.canceled !== undefined)
    timeline.add(timeline.ago(plan.canceled), 'offering.canceled', { id }, { changed: [company.id] })
}

const decimal = (value: number | null) => (value === null ? null : String(value))

function securityOf(plan: SecurityPlan, timeline: Timeline): Security {
  switch (plan.type) {
    case 'safe': {
      const terms = { valuation_cap: decimal(plan.cap), discount_percent: decimal(plan.discount) }
      return { type: 'safe', terms: { ...terms, most_favored_nation: plan.mfn, pro_rata: false } }
    }
    case 'equity': {
      const share_class = plan.preferred ? 'preferred' : 'common'
      const terms = { share_price: plan.price, pre_money_valuation: decimal(plan.preMoney), share_class } as const
      return { type: 'equity', terms }
    }
    case 'convertible_note': {
      const terms = { valuation_cap: decimal(plan.cap), discount_percent: decimal(plan.discount) }
      return {
        type: 'convertible_note',
        terms: { ...terms, interest_rate_percent: plan.interest, maturity_months: 24 },
      }
    }
    case 'revenue_share': {
      const terms = {
        revenue_share_percent: plan.percent,
        repayment_cap_multiple: plan.multiple,
        secured: plan.secured,
      }
      return { type: 'revenue_share', terms: { ...terms, payment_period: 'quarterly', revenue_basis: 'gross' } }
    }
    case 'debt': {
      const first_payment_date = timeText(timeline.nowMs + 90 * DAY_MS).slice(0, 10)
      return {
        type: 'debt',
        terms: { interest_rate_percent: plan.interest, maturity_months: plan.months, first_payment_date },
      }
    }
    case 'fund':
      return { type: 'fund', terms: {} }
    case 'other':
      return { type: 'other', terms: { name: plan.name, description: plan.description } }
  }
}

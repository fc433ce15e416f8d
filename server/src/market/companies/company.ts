import type { WorldTime } from '#kernel/clock.ts'
import type { FieldError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'

/** The fields of a company that can change, with the names of columns and facts. */
export type CompanyPage = {
  readonly name: string
  readonly slug: string | null
  readonly tagline: string | null
  readonly page_url: string
  readonly logo_url: string | null
  readonly card_image_url: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
  readonly industries: readonly Industry[]
  readonly business_models: readonly BusinessModel[]
  readonly promotion_opt_in: boolean
  /** Whether only the team may ask, answer and comment on the page. */
  readonly questions_closed: boolean
}

/** The kind never changes. */
export type Company = CompanyPage & { readonly id: Id<'company'>; readonly kind: CompanyKind }

/** A test checks that the lists below have the same values as the constraints of the database. */

export const COMPANY_KINDS = ['company', 'fund'] as const
export type CompanyKind = (typeof COMPANY_KINDS)[number]

export const BUSINESS_MODELS = [
  'b2b',
  'b2c',
  'subscription',
  'saas',
  'service',
  'marketplace',
  'ecommerce',
  'retail',
] as const
export type BusinessModel = (typeof BUSINESS_MODELS)[number]

export const COMPANY_ROLES = ['founder', 'admin', 'editor', 'employee'] as const
export type CompanyRole = (typeof COMPANY_ROLES)[number]

/** The rules under which securities are sold. Founders who report nothing more exact use `reg_d` or `other`. */
export const PAST_ROUND_EXEMPTIONS = [
  'reg_cf',
  'reg_d',
  'reg_d_506b',
  'reg_d_506c',
  'reg_a',
  'reg_s',
  'ecsp',
  'other',
] as const
export type PastRoundExemption = (typeof PAST_ROUND_EXEMPTIONS)[number]

/** What an author discloses about their interest in the company. */
export const DISCLOSURE_KEYS = ['investor', 'stockholder', 'promoter', 'financial_stakeholder'] as const
export type DisclosureKey = (typeof DISCLOSURE_KEYS)[number]

/** The industries that a company can be tagged with. */
export const INDUSTRIES = [
  'ar_and_vr',
  'agriculture_and_agtech',
  'artificial_intelligence',
  'biotech',
  'blockchain_and_web3',
  'edtech',
  'energy',
  'fintech_and_finance',
  'food_tech',
  'games',
  'health_and_fitness',
  'healthcare',
  'manufacturing',
  'mobile_apps',
  'robotics',
  'science_and_r_and_d',
  'transportation',
  'travel_and_tourism',
  'bars_and_clubs',
  'brewery',
  'cafe_and_food_truck',
  'events_and_festivals',
  'education',
  'distillery_and_vineyards',
  'fashion',
  'film',
  'media',
  'music',
  'restaurant',
  'sports',
  'real_estate',
  'pets',
  'recreation',
  'infrastructure_and_construction',
  'childcare',
  'sustainability',
  'sports_tech',
  'home_tech',
  'devtools',
  'clean_tech',
  'beauty',
  'entertainment',
  'technology',
  'brick_and_mortar',
  'food_and_beverage',
  'climate_change',
  'alcohol_and_vice',
  'consumer_goods',
  'hardware',
  'moonshots',
] as const

export type Industry = (typeof INDUSTRIES)[number]
export const INDUSTRIES_MAX = 10

export const PAST_ROUNDS_MAX = 100

/** A round on another platform, as reported by the founder. */
export type PastRound = {
  readonly exemption: PastRoundExemption
  readonly amount_raised_cents?: Cents | null
  readonly currency?: string | null
  readonly investor_count?: number | null
  readonly opened_at?: WorldTime | null
  readonly closed_at?: WorldTime | null
}

/**
 * An amount and a currency are given together. A round does not close before it opens, and neither time is in the
 * future.
 */
export function pastRoundErrors(round: PastRound, field: string, now: WorldTime): FieldError[] {
  const { amount_raised_cents = null, currency = null, opened_at = null, closed_at = null } = round
  const errors: FieldError[] = []
  const complain = (name: string, code: string, message: string) => {
    errors.push({ field: `${field}.${name}`, code, message })
  }
  if (amount_raised_cents !== null && currency === null) complain('currency', 'required', 'is required with an amount')
  if (amount_raised_cents === null && currency !== null)
    complain('currency', 'not_allowed', 'is given without an amount')
  if (opened_at !== null && opened_at > now) complain('opened_at', 'in_the_future', 'must be in the past')
  if (closed_at !== null && closed_at > now) complain('closed_at', 'in_the_future', 'must be in the past')
  if (opened_at !== null && closed_at !== null && closed_at < opened_at) {
    complain('closed_at', 'too_early', 'is before opened_at')
  }
  return errors
}

/**
 * The roles whose holders may edit a company and see its investors. An employee may do neither, but belongs to the
 * team, which sees the company's private rounds.
 */
const EDITING_ROLES: ReadonlySet<CompanyRole> = new Set(['founder', 'admin', 'editor'])

/** SQL: whether the role in this column may edit the company. */
export const editingRole = (column: string) =>
  `${column} in (${[...EDITING_ROLES].map((role) => `'${role}'`).join(', ')})`

/** SQL: whether a row of company_people lets its user edit the company now. */
export const mayEdit = (row: string) => `${row}.ended_at is null and ${editingRole(`${row}.role`)}`

export function isEditing(roles: Iterable<{ readonly role: CompanyRole }>): boolean {
  return [...roles].some(({ role }) => EDITING_ROLES.has(role))
}

/** The words of this module that the database also knows; a test compares the two. */

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

/** The rules under which securities are sold; `reg_d` and `other` where a founder does not say it more exactly. */
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

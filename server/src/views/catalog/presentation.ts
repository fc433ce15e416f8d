import type { World } from '#kernel/world.ts'
import { BUSINESS_MODELS, INDUSTRIES, type PastRoundExemption } from '#market/companies/index.ts'
import type { SecurityType } from '#market/offerings/index.ts'

/** A machine value with its label. */
export type Labelled = { readonly type: string; readonly label: string }

const SECURITY_LABELS: Readonly<Record<SecurityType, string>> = {
  safe: 'SAFE',
  equity: 'Equity',
  convertible_note: 'Convertible Note',
  revenue_share: 'Revenue Share',
  debt: 'Debt',
  fund: 'Fund',
  other: 'Other',
}

export function securityLabel(type: SecurityType): string {
  return SECURITY_LABELS[type]
}

export type ExemptionParts = {
  readonly family: 'reg_cf' | 'reg_d' | 'reg_a' | 'reg_s' | 'ecsp' | 'other'
  readonly subtype: string | null
  readonly label: string
}

const EXEMPTION_PARTS: Readonly<Record<PastRoundExemption, ExemptionParts>> = {
  reg_cf: { family: 'reg_cf', subtype: null, label: 'Reg CF' },
  reg_d: { family: 'reg_d', subtype: null, label: 'Reg D' },
  reg_d_506b: { family: 'reg_d', subtype: '506b', label: 'Reg D 506(b)' },
  reg_d_506c: { family: 'reg_d', subtype: '506c', label: 'Reg D 506(c)' },
  reg_a: { family: 'reg_a', subtype: null, label: 'Reg A' },
  reg_s: { family: 'reg_s', subtype: null, label: 'Reg S' },
  ecsp: { family: 'ecsp', subtype: null, label: 'ECSP' },
  other: { family: 'other', subtype: null, label: 'Other' },
}

/** An exemption as a family, a subtype (the kind within Regulation D) and a label. */
export function exemptionParts(exemption: PastRoundExemption): ExemptionParts {
  return EXEMPTION_PARTS[exemption]
}

/** The labels that `spelled` would write differently. */
const SPELLED: Readonly<Record<string, string>> = {
  ar_and_vr: 'AR & VR',
  agriculture_and_agtech: 'Agriculture & AgTech',
  blockchain_and_web3: 'Blockchain & Web3',
  edtech: 'EdTech',
  fintech_and_finance: 'FinTech & Finance',
  science_and_r_and_d: 'Science & R&D',
  devtools: 'DevTools',
  b2b: 'B2B',
  b2c: 'B2C',
  saas: 'SaaS',
  ecommerce: 'E-commerce',
}

const TAGS: ReadonlyMap<string, Labelled> = new Map(
  [...INDUSTRIES, ...BUSINESS_MODELS].map((type) => [type, { type, label: SPELLED[type] ?? spelled(type) }]),
)

export function tag(type: string): Labelled {
  return TAGS.get(type) ?? { type, label: spelled(type) }
}

function spelled(type: string): string {
  return type
    .split('_')
    .map((word) => (word === 'and' ? '&' : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ')
}

const PLACES: Readonly<Record<World, string>> = { live: '/c/', test: '/sandbox/c/' }

/** The path of a company's page on this server. */
export function companyPagePath(world: World, slug: string): string {
  return PLACES[world] + slug
}

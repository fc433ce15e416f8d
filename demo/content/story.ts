import type { BusinessModel, Industry } from '@portico/server/market/companies/index.ts'
import type { TownName } from './towns.ts'

export type CompanyStory = {
  readonly name: string
  readonly slug: string
  readonly tagline: string
  readonly town: TownName
  readonly industries: readonly Industry[]
  readonly models: readonly BusinessModel[]
  /** The product, in words that fit after "for" and before a question mark: "How long does a customer wait for …?" */
  readonly product: string
  /** The opening of the company's pitch, and the description of its rounds. */
  readonly about: string
  /** The company asked not to be promoted. */
  readonly quiet?: true
  /** It is a fund, which invests in other companies. */
  readonly fund?: true
  readonly rounds: readonly RoundPlan[]
  readonly past?: readonly PastRoundPlan[]
}

/** A round on another platform that the founder reports: how many days ago it closed, and how long it ran. */
export type PastRoundPlan = {
  readonly exemption: 'reg_cf' | 'reg_d' | 'reg_d_506b' | 'reg_d_506c' | 'other'
  readonly raised: number
  readonly investors: number
  readonly closed: number
  readonly ran: number
}

/** The security of a round, in a founder's units: whole units of the currency, percent, months. */
export type SecurityPlan =
  | { readonly type: 'safe'; readonly cap: number | null; readonly discount: number | null; readonly mfn: boolean }
  | { readonly type: 'equity'; readonly price: string; readonly preMoney: number; readonly preferred: boolean }
  | { readonly type: 'convertible_note'; readonly cap: number; readonly discount: number; readonly interest: string }
  | { readonly type: 'revenue_share'; readonly percent: string; readonly multiple: string; readonly secured: boolean }
  | { readonly type: 'debt'; readonly interest: string; readonly months: number }
  | { readonly type: 'fund' }
  | { readonly type: 'other'; readonly name: string; readonly description: string }

type SecurityType = SecurityPlan['type']
export type Exemption = 'reg_cf' | 'reg_d_506b' | 'reg_d_506c' | 'reg_a' | 'reg_s' | 'ecsp'

type Common = {
  readonly target: number
  readonly min: number
  /** The number of investments, including those converted from reservations. */
  readonly count: number
  /** Days before the demo was created; negative for the future. */
  readonly opened: number
}
/**
 * In days before the demo was created. A round stays open unless `closing` or `canceled` is set; `closes` is only its announced
 * date, and negative if that is in the future.
 */
type Ending = {
  readonly closes?: number
  readonly closing?: number
  readonly closed?: number
  readonly canceled?: number
}
type Access = { readonly listed?: false; readonly accreditedOnly?: true; readonly invited?: number }

export type RoundPlan = Common &
  Ending &
  Access & {
    readonly exemption: Exemption
    readonly security: SecurityPlan | null
    /** Set while a round only tests the waters; null if the security is undecided. */
    readonly intended?: Exclude<SecurityType, 'other'> | null
    /** Rounds of a company with the same `raise` are the legs of that raise. */
    readonly raise?: string
    /** How many reservations of the company's earlier round were converted into investments in this round. */
    readonly converted?: number
  }

type Details = Omit<RoundPlan, 'exemption' | 'security' | 'intended'>

export function round(exemption: Exemption, security: SecurityPlan, details: Details): RoundPlan {
  return { exemption, security, ...details }
}

/** A round that collects reservations. Its security is at most an intention. */
export function testing(exemption: Exemption, intended: RoundPlan['intended'] & string, details: Details): RoundPlan
export function testing(exemption: Exemption, intended: null, details: Details): RoundPlan
export function testing(exemption: Exemption, intended: RoundPlan['intended'], details: Details): RoundPlan {
  return { exemption, security: null, intended: intended ?? null, ...details }
}

const MILLION = 1_000_000

/** This function and those below take caps and valuations in millions. */
export const safe = (cap: number | null, discount: number | null = null): SecurityPlan => ({
  type: 'safe',
  cap: cap === null ? null : Math.round(cap * MILLION),
  discount,
  mfn: cap === null,
})

export const preferred = (price: string, preMoney: number): SecurityPlan => ({
  type: 'equity',
  price,
  preMoney: Math.round(preMoney * MILLION),
  preferred: true,
})

export const common = (price: string, preMoney: number): SecurityPlan => ({
  type: 'equity',
  price,
  preMoney: Math.round(preMoney * MILLION),
  preferred: false,
})

export const note = (cap: number, discount: number, interest: string): SecurityPlan => ({
  type: 'convertible_note',
  cap: Math.round(cap * MILLION),
  discount,
  interest,
})

export const revenueShare = (percent: string, multiple: string, secured = false): SecurityPlan => ({
  type: 'revenue_share',
  percent,
  multiple,
  secured,
})

export const loan = (interest: string, months: number): SecurityPlan => ({ type: 'debt', interest, months })

export const FUND: SecurityPlan = { type: 'fund' }

export const other = (name: string, description: string): SecurityPlan => ({ type: 'other', name, description })

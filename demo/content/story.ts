import type { BusinessModel, Industry } from '@portico/server/market/companies/index.ts'
import type { TownName } from './towns.ts'

export type CompanyStory = {
  readonly name: string
  readonly slug: string
  readonly tagline: string
  readonly town: TownName
  readonly industries: readonly Industry[]
  readonly models: readonly BusinessModel[]
  /** The product, with its article, such as "a kiln". It must fit into sentences such as "How long does a customer wait for …?" */
  readonly product: string
  /** The first paragraph of the company's pitch, and the description of its rounds. */
  readonly about: string
  /** True if the company does not want promotion. */
  readonly quiet?: true
  /** True if the company is a fund, which invests in other companies. */
  readonly fund?: true
  readonly rounds: readonly RoundPlan[]
  readonly past?: readonly PastRoundPlan[]
}

/** An earlier round on another platform. `closed` is how many days ago it closed, and `ran` is how many days it was open. */
export type PastRoundPlan = {
  readonly exemption: 'reg_cf' | 'reg_d' | 'reg_d_506b' | 'reg_d_506c' | 'other'
  readonly raised: number
  readonly investors: number
  readonly closed: number
  readonly ran: number
}

/** The security of a round. Amounts are whole units of the currency, rates are percent, times are months. */
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
  /**
   * The number of investments, or of reservations if the round tests the waters. It includes the investments that
   * reservations were converted into.
   */
  readonly count: number
  /** The day of the opening, in days before the demo was created. Negative for the future. */
  readonly opened: number
}
/**
 * When the round ends, in days before the demo was created. A round stays open unless `closing` or `canceled` is set. `closes` is
 * only the announced date of the end, and negative if that date is in the future.
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
    /** Set if the round only tests the waters. Null if the security is undecided. */
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

/** A round that tests the waters: it collects reservations, and its security is only intended. */
export function testing(exemption: Exemption, intended: RoundPlan['intended'] & string, details: Details): RoundPlan
export function testing(exemption: Exemption, intended: null, details: Details): RoundPlan
export function testing(exemption: Exemption, intended: RoundPlan['intended'], details: Details): RoundPlan {
  return { exemption, security: null, intended: intended ?? null, ...details }
}

const MILLION = 1_000_000

/** In this function and those below, caps and valuations are in millions. */
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

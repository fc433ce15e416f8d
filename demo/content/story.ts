import type { BusinessModel, Industry } from '@portico/server/market/companies/index.ts'
import type { RoundPlan } from './rounds.ts'
import type { TownName } from './towns.ts'

/** A company as its page tells it. */
export type CompanyStory = {
  readonly name: string
  readonly slug: string
  readonly tagline: string
  readonly town: TownName
  readonly industries: readonly Industry[]
  readonly models: readonly BusinessModel[]
  /** What it makes, as in "How long does it take to …": fits after "for" and before a question mark. */
  readonly product: string
  /** The opening of its pitch, and the description of its rounds. */
  readonly about: string
  /** The company asked not to be promoted. */
  readonly quiet?: true
  /** Not a company that raises but a fund that invests. */
  readonly fund?: true
  readonly rounds: readonly RoundPlan[]
  readonly past?: readonly PastRoundPlan[]
}

/** A round the founder reports that did not run here: how long ago it closed, in days, and after how many. */
export type PastRoundPlan = {
  readonly exemption: 'reg_cf' | 'reg_d' | 'reg_d_506b' | 'reg_d_506c' | 'other'
  readonly raised: number
  readonly investors: number
  readonly closed: number
  readonly ran: number
}

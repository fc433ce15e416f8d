import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { InvestmentState } from '#modules/investments/index.ts'
import type { OpenText } from '../derive/render.ts'
import type { Reason } from './reason.ts'

/** What the company has of a record: the state it was last shown, or that it is gone. */
export type CompanySide = {
  readonly company_position: number
  /** Where it saw it, or where it was when it ceased to. */
  readonly company_offering_id: Id<'offering'>
  readonly company_reason: Reason
  readonly company_observed_at: WorldTime
  /** The last change that is also visible without the investor's identity. */
  readonly open: OpenSide
}

export type OpenSide = { readonly position: number; readonly reason: Reason; readonly observed_at: WorldTime }

/** The last published state of an investment, named as the columns. The company's side is null until it saw something. */
export type Head = OpenText & {
  readonly investment_id: Id<'investment'>
  readonly company_id: Id<'company'>
  readonly offering_id: Id<'offering'>
  readonly investor_id: Id<'user'>
  readonly position: number
  readonly status: InvestmentState
  readonly visible: boolean
  readonly deactivated: boolean
  readonly reason: Reason
  readonly observed_at: WorldTime
  readonly committed_cents: number
  readonly raised_cents: number
  readonly company: CompanySide | null
}

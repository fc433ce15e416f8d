import type { WorldTime } from '#kernel/clock.ts'
import type { Decimal } from '../store.ts'
import type { ExitReason, ExitStatus } from '../vocabulary.ts'

/** What an investor holds of an offering by one investment: "one holds what was executed". */
export type Stake = {
  /** What was paid. */
  readonly cost: bigint
  /** When the investor applied, at the price of that day. */
  readonly investedAt: WorldTime
  /** Null where there are none, or where nobody has counted them yet. */
  readonly shares: { readonly count: Decimal; readonly price: Decimal } | null
  readonly sale: { readonly soldAt: WorldTime; readonly multiple: Decimal } | null
}

/** The latest of an offering. */
export type Valuation = { readonly valuedAt: WorldTime } & (
  | { readonly sharePrice: Decimal; readonly multiple: null }
  | { readonly sharePrice: null; readonly multiple: Decimal }
)

export type Exit = {
  readonly status: ExitStatus
  readonly reason: ExitReason | null
  readonly exitedAt: WorldTime
  readonly multiple: Decimal
}

/** What has become of an offering since its stakes were sold. */
export type Aftermath = { readonly valuation: Valuation | null; readonly exit: Exit | null }

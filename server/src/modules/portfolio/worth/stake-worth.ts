import type { Decimal } from '../store.ts'
import { times } from './decimal.ts'
import type { Aftermath, Stake, Valuation } from './stake.ts'
import { endOf } from './stake-end.ts'

/** What a stake cost, is worth and brought, in cents. */
export type Worth = {
  readonly cost: bigint
  /** Of what is held; nothing once the stake has ended. */
  readonly value: bigint
  readonly unrealized: bigint
  readonly realized: bigint
  readonly held: boolean
  readonly sharesHeld: Decimal | null
  readonly sharePrice: Decimal | null
}

/**
 * "current_value_cents: an estimate; cost basis if no newer valuation." Gains are unrealized while a stake is held and
 * realized once it has ended, never both, so that always: cost + gains = what it is worth + what it brought.
 */
export function stakeWorth(stake: Stake, { valuation, exit }: Aftermath): Worth {
  const { cost, shares } = stake
  const end = endOf(stake, exit)
  if (end !== null) {
    const realized = times(cost, end.multiple) - cost
    const sharesHeld = shares === null ? null : '0'
    return { cost, value: 0n, unrealized: 0n, realized, held: false, sharesHeld, sharePrice: null }
  }
  const estimate = estimateOf(stake, valuation)
  return { cost, ...estimate, unrealized: estimate.value - cost, realized: 0n, held: true }
}

type Estimate = Pick<Worth, 'value' | 'sharesHeld' | 'sharePrice'>

/**
 * A valuation from before the investor came says nothing of the price they paid. By share price it reaches only whoever
 * has shares. "shares_held: null for valuations by a multiple of what was paid."
 */
function estimateOf({ cost, investedAt, shares }: Stake, valuation: Valuation | null): Estimate {
  const newer = valuation !== null && valuation.valuedAt >= investedAt ? valuation : null
  if (newer !== null && newer.multiple !== null) {
    return { value: times(cost, newer.multiple), sharesHeld: null, sharePrice: null }
  }
  if (shares === null) return { value: cost, sharesHeld: null, sharePrice: null }
  const { count, price } = shares
  if (newer === null) return { value: cost, sharesHeld: count, sharePrice: price }
  return { value: times(CENTS_PER_UNIT, count, newer.sharePrice), sharesHeld: count, sharePrice: newer.sharePrice }
}

const CENTS_PER_UNIT = 100n

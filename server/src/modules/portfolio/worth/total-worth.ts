import type { Cents } from '#kernel/money.ts'
import type { Decimal } from '../store.ts'
import { plainDecimal, quotient, sum } from './decimal.ts'
import { shownCents } from './shown-cents.ts'
import type { Worth } from './stake-worth.ts'

export type Amounts = Pick<Worth, 'cost' | 'value' | 'unrealized' | 'realized'>

/** Each stake was rounded by itself, so that parts add up to their sum wherever one looks. */
export function addUp(parts: readonly Amounts[]): Amounts {
  const total = (of: (part: Amounts) => bigint) => parts.reduce((all, part) => all + of(part), 0n)
  return {
    cost: total(({ cost }) => cost),
    value: total(({ value }) => value),
    unrealized: total(({ unrealized }) => unrealized),
    realized: total(({ realized }) => realized),
  }
}

/** "null if cost basis 0": what is held and what was brought, as a multiple of what was paid. */
export function returnMultiple({ cost, unrealized, realized }: Amounts): Decimal | null {
  return cost === 0n ? null : quotient(cost + unrealized + realized, cost)
}

export type ShownAmounts = {
  readonly cost_basis_cents: Cents
  readonly current_value_cents: Cents
  readonly unrealized_gain_cents: Cents
  readonly realized_gain_cents: Cents
}

export function shownAmounts({ cost, value, unrealized, realized }: Amounts): ShownAmounts {
  return {
    cost_basis_cents: shownCents(cost),
    current_value_cents: shownCents(value),
    unrealized_gain_cents: shownCents(unrealized),
    realized_gain_cents: shownCents(realized),
  }
}

/** Of all of them, or of none: some shares beside a part without any would be too few. */
export function sharesHeld(parts: readonly Pick<Worth, 'sharesHeld'>[]): Decimal | null {
  const counts = parts.flatMap(({ sharesHeld: count }) => count ?? [])
  return counts.length === parts.length ? sum(counts) : null
}

/** "null if the securities' prices differ." What is no longer held has none. */
export function sharePrice(parts: readonly Pick<Worth, 'sharePrice' | 'held'>[]): Decimal | null {
  const [first = null, ...others] = parts.filter(({ held }) => held).map((part) => part.sharePrice)
  if (first === null) return null
  const same = others.every((price) => price !== null && plainDecimal(price) === plainDecimal(first))
  return same ? first : null
}

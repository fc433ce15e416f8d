import type { WorldTime } from '#kernel/clock.ts'
import type { Cents } from '#kernel/money.ts'
import type { Decimal, ExitReason, ExitStatus } from '../store.ts'

/** The cost, value and proceeds of a stake, in cents. */
export type Worth = {
  readonly cost: bigint
  /** The value of the stake; zero after it has ended. */
  readonly value: bigint
  readonly unrealized: bigint
  readonly realized: bigint
  readonly held: boolean
  readonly sharesHeld: Decimal | null
  readonly sharePrice: Decimal | null
}

/**
 * "current_value_cents: an estimate; cost basis if no newer valuation." The gain on a stake is unrealized while the stake is held, and
 * realized after it has ended. So cost + gains = value + proceeds.
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
 * A valuation from before the investment is not used, because the investor paid a newer price. A valuation by share price applies
 * only to an investor who has shares. "shares_held: null for valuations by a multiple of what was paid."
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

export type Amounts = Pick<Worth, 'cost' | 'value' | 'unrealized' | 'realized'>

/** Each stake was rounded before, so the sum of the parts is always the sum of the whole. */
export function addUp(parts: readonly Amounts[]): Amounts {
  const total = (of: (part: Amounts) => bigint) => parts.reduce((all, part) => all + of(part), 0n)
  return {
    cost: total(({ cost }) => cost),
    value: total(({ value }) => value),
    unrealized: total(({ unrealized }) => unrealized),
    realized: total(({ realized }) => realized),
  }
}

/** "null if cost basis 0": value plus proceeds as a multiple of the amount paid. */
export function returnMultiple({ cost, unrealized, realized }: Amounts): Decimal | null {
  return cost === 0n ? null : quotientHalfUp(cost + unrealized + realized, cost)
}

type ShownAmounts = {
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

/** Null if a part has no shares, because the sum of the other parts would be too low. */
export function sharesHeld(parts: readonly Pick<Worth, 'sharesHeld'>[]): Decimal | null {
  const counts = parts.flatMap(({ sharesHeld: count }) => count ?? [])
  return counts.length === parts.length ? sum(counts) : null
}

/** "null if the securities' prices differ." Parts that are no longer held have no price and are ignored. */
export function sharePrice(parts: readonly Pick<Worth, 'sharePrice' | 'held'>[]): Decimal | null {
  const [first = null, ...others] = parts.filter(({ held }) => held).map((part) => part.sharePrice)
  if (first === null) return null
  const same = others.every((price) => price !== null && plainDecimal(price) === plainDecimal(first))
  return same ? first : null
}

type StakeEnd = { readonly by: 'sale' | 'exit'; readonly multiple: Decimal }

/**
 * A stake ends only once: by a sale, or with the exit of its offering, which ends every stake that is held at that time. A stake that
 * was sold before does not take part in the exit. A sale that is reported for a time after the exit changes nothing.
 */
export function endOf({ sale }: Pick<Stake, 'sale'>, exit: Exit | null): StakeEnd | null {
  if (sale !== null && (exit === null || sale.soldAt <= exit.exitedAt)) return { by: 'sale', multiple: sale.multiple }
  return exit === null ? null : { by: 'exit', multiple: exit.multiple }
}

export const POSITION_STATUSES = ['active', 'exited', 'sold', 'failed'] as const
export type PositionStatus = (typeof POSITION_STATUSES)[number]

/**
 * "active, exited, sold, failed; sold = transferred in secondary." A position is sold if all its stakes are sold; otherwise the exit of
 * the offering decides. The list's filter has the same rule in SQL, and a test compares the two.
 */
export function positionStatus(stakes: readonly Pick<Stake, 'sale'>[], exit: Exit | null): PositionStatus {
  if (stakes.every((stake) => endOf(stake, exit)?.by === 'sale')) return 'sold'
  return exit?.status ?? 'active'
}

/** "Only for exited and failed; may be unrecorded." */
export function exitReason(status: PositionStatus, exit: Pick<Exit, 'reason'> | null): ExitReason | null {
  return status === 'exited' || status === 'failed' ? (exit?.reason ?? null) : null
}

/** What an investor holds through one investment: "one holds what was executed". */
export type Stake = {
  /** The amount paid. */
  readonly cost: bigint
  /** When the investor applied, at the price of that day. */
  readonly investedAt: WorldTime
  /** Null if there are none, or if their number is not known yet. */
  readonly shares: { readonly count: Decimal; readonly price: Decimal } | null
  readonly sale: { readonly soldAt: WorldTime; readonly multiple: Decimal } | null
}

/** The latest valuation of an offering. */
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

/** The latest valuation and the exit of an offering. */
export type Aftermath = { readonly valuation: Valuation | null; readonly exit: Exit | null }

/** An exact decimal: `digits` times ten to the minus `scale`. A price is never a floating-point number. */
type Exact = { readonly digits: bigint; readonly scale: number }

const FORM = /^(\d+)(?:\.(\d+))?$/

function exact(text: Decimal): Exact {
  const [, whole, fraction = ''] = FORM.exec(text) ?? []
  if (whole === undefined) throw new RangeError(`${text} is not a decimal`)
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

/** The product of a non-negative amount and these factors, rounded once, at the end: half a cent rounds up. */
export function times(amount: bigint, ...factors: readonly Decimal[]): bigint {
  const product = factors
    .map(exact)
    .reduce(({ digits, scale }, factor) => ({ digits: digits * factor.digits, scale: scale + factor.scale }), {
      digits: amount,
      scale: 0,
    })
  return divideRounded(product.digits, 10n ** BigInt(product.scale))
}

/** For a non-negative amount and a positive divisor. */
function divideRounded(amount: bigint, divisor: bigint): bigint {
  return (2n * amount + divisor) / (2n * divisor)
}

/** A non-negative amount as a multiple of a positive one, with four digits after the point: `1.6492`. Half rounds up. */
export function quotientHalfUp(amount: bigint, of: bigint): Decimal {
  const digits = divideRounded(amount * 10_000n, of)
    .toString()
    .padStart(5, '0')
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`
}

export function sum(decimals: readonly Decimal[]): Decimal {
  const parts = decimals.map(exact)
  const scale = Math.max(0, ...parts.map((part) => part.scale))
  const digits = parts.reduce((total, part) => total + part.digits * 10n ** BigInt(scale - part.scale), 0n)
  return plain({ digits, scale })
}

/** The same text for equal numbers: `12.50` becomes `12.5`. */
export function plainDecimal(text: Decimal): Decimal {
  return plain(exact(text))
}

function plain({ digits, scale }: Exact): Decimal {
  const padded = digits.toString().padStart(scale + 1, '0')
  const whole = padded.slice(0, padded.length - scale)
  const fraction = padded.slice(padded.length - scale).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

const MOST = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * A multiple can be up to a thousand million, so an estimate can exceed 2^53 - 1, the largest number that JSON readers read
 * exactly. Such an estimate is shown as 2^53 - 1.
 */
export function shownCents(amount: bigint): Cents {
  const shown = amount > MOST ? MOST : amount < -MOST ? -MOST : amount
  return Number(shown) as Cents
}

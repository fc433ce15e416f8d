import type { Cents } from '#kernel/money.ts'
import type { Decimal } from '../store.ts'

/** A decimal as it is: so many times ten to the minus `scale`. No floating point ever touches a price. */
type Exact = { readonly digits: bigint; readonly scale: number }

const FORM = /^(\d+)(?:\.(\d+))?$/

function exact(text: Decimal): Exact {
  const [, whole, fraction = ''] = FORM.exec(text) ?? []
  if (whole === undefined) throw new RangeError(`${text} is no decimal`)
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

/** What an amount becomes that is multiplied by these, rounded once, at the end: half a cent counts as one. */
export function times(amount: bigint, ...factors: readonly Decimal[]): bigint {
  const product = factors
    .map(exact)
    .reduce(({ digits, scale }, factor) => ({ digits: digits * factor.digits, scale: scale + factor.scale }), {
      digits: amount,
      scale: 0,
    })
  return divideRounded(product.digits, 10n ** BigInt(product.scale))
}

/** For what is not negative, by what is positive. */
function divideRounded(amount: bigint, divisor: bigint): bigint {
  return (2n * amount + divisor) / (2n * divisor)
}

/** One amount as a multiple of another that is not zero, with four digits after the point: `1.6492`. */
export function quotient(amount: bigint, of: bigint): Decimal {
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

/** One spelling for one number: `12.50` and `12.5` are the same. */
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
 * An estimate can be larger than what JSON readers tell apart: a multiple of up to a thousand million, of amounts that
 * reach that limit by themselves. What is beyond is shown as the largest there is, as sums of the catalogue are.
 */
export function shownCents(amount: bigint): Cents {
  const shown = amount > MOST ? MOST : amount < -MOST ? -MOST : amount
  return Number(shown) as Cents
}

/**
 * Money is an integer in minor units (`_cents` in API records) together with a currency. Lifecycle events carry whole units.
 * Amounts of investments are whole numbers of units, so cents that are not a multiple of 100 are rejected, never rounded. Cents
 * are never a fraction; the maximum is 2^53 - 1 cents, because JSON readers lose digits above it.
 */
declare const cents: unique symbol
export type Cents = number & { readonly [cents]: true }
declare const units: unique symbol
export type WholeUnits = number & { readonly [units]: true }

const CENTS_PER_UNIT = 100

/** Null unless the value is a safe integer. A string (PostgreSQL's bigint) may have only digits and a minus sign. */
export function parseCents(value: unknown): Cents | null {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? (number as Cents) : null
}

/** Throws unless the cents are a whole number of units: an amount is never rounded. */
export function wholeUnits(amount: Cents): WholeUnits {
  if (amount % CENTS_PER_UNIT !== 0) throw new RangeError(`${amount} cents are not a whole number of units`)
  // `+ 0` turns -0 into 0: some JSON writers would print "-0".
  return (amount / CENTS_PER_UNIT + 0) as WholeUnits
}

export function centsOf(amount: WholeUnits): Cents {
  const product = parseCents(amount * CENTS_PER_UNIT)
  if (product === null) throw new RangeError(`${amount} units do not fit in cents`)
  return product
}

export function addCents(amounts: Iterable<Cents>): Cents {
  let total = 0n
  for (const amount of amounts) total += BigInt(amount)
  const sum = parseCents(total.toString())
  if (sum === null) throw new RangeError('a sum of money is beyond 2^53 - 1 cents')
  return sum
}

/** `1234.50`: the form that older API versions show. */
export function decimalString(amount: Cents): string {
  const digits = Math.abs(amount).toString().padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

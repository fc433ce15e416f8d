import type { Cents } from '#kernel/money.ts'

const MOST = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * An estimate can be larger than what JSON readers tell apart: a multiple of up to a thousand million, of amounts that
 * reach that limit by themselves. What is beyond is shown as the largest there is, as sums of the catalogue are.
 */
export function shownCents(amount: bigint): Cents {
  const shown = amount > MOST ? MOST : amount < -MOST ? -MOST : amount
  return Number(shown) as Cents
}

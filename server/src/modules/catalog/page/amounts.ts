import { parseCents, wholeUnits } from '#kernel/money.ts'

/** `$125,000`, in whole units as everything here is. */
export function amount(cents: string, currency: string): string {
  const parsed = parseCents(cents)
  if (parsed === null) throw new TypeError(`not an amount: ${cents}`)
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 })
  return format.format(wholeUnits(parsed))
}

/** Cents that PostgreSQL added up, as people read money. */
export function money(cents: string, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 })
  return format.format(BigInt(cents) / 100n)
}

/**
 * Two leading figures of an amount that is still moving: an open deal takes investments while somebody reads its page, and
 * an approval that is bound to every dollar of it could never be given.
 */
export function roughly(whole: string): string {
  return isRough(whole) ? whole.slice(0, LEADING).padEnd(whole.length, '0') : whole
}

export const isRough = (whole: string) => whole.length > LEADING

const LEADING = 2

/** "1 investor", "2 investors". */
export function counted(count: number, noun: string): string {
  return `${new Intl.NumberFormat('en').format(count)} ${noun}${count === 1 ? '' : 's'}`
}

import { hexDigestOf } from '#system/crypto/secret.ts'

/** Cents that PostgreSQL added up, as people read money. */
export function money(cents: string, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 })
  return format.format(BigInt(cents) / 100n)
}

/**
 * An amount that is still moving, rounded to two leading figures: an open deal takes investments while somebody reads its
 * page, and an approval that is bound to every dollar of it could never be given.
 */
export function roughly(whole: string): string {
  if (!isRough(whole)) return whole
  const unit = 10n ** BigInt(whole.length - LEADING)
  return String(((BigInt(whole) + unit / 2n) / unit) * unit)
}

export const isRough = (whole: string) => whole.length > LEADING

const LEADING = 2

/** "1 investor", "2 investors". */
export function counted(count: number, noun: string): string {
  return `${new Intl.NumberFormat('en').format(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** A number that is still moving, as one that seldom becomes another: "fewer than 10 commitments", "more than 300". */
export function countedRoughly(count: number, noun: string): string {
  if (count < 10) return `fewer than 10 ${noun}s`
  const unit = 10 ** (String(count).length - 1)
  const floor = Math.floor(count / unit) * unit
  return `${new Intl.NumberFormat('en').format(floor)} ${noun}s or more`
}

const EXCERPT_CHARS = 200

/** What is too long to be compared by eye is told by its beginning, and held by its digest. */
export function excerptOf(text: string | null): string {
  if (text === null) return 'nothing'
  const beginning = beginningOf(text)
  return beginning === text ? text : `${beginning} (${hexDigestOf(text).slice(0, 16)})`
}

export function beginningOf(text: string): string {
  const letters = [...text]
  return letters.length <= EXCERPT_CHARS ? text : `${letters.slice(0, EXCERPT_CHARS).join('')}…`
}

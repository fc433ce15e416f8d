import { validationError } from '#kernel/errors.ts'
import { type Cents, centsOf, parseCents, type WholeUnits, wholeUnits } from '#kernel/money.ts'
import type { OfferingView } from '#market/offerings/index.ts'
import { field } from '#pages/elements.ts'
import { type Html, html } from '#pages/html.ts'
import { checkoutWords, type OfferingSummary } from './checkout.ts'

/** `$1,250`: in whole units, as every amount here is. */
export function spokenAmount(cents: Cents, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 })
  return format.format(wholeUnits(cents))
}

export function amountShown(cents: Cents, currency: string): Html {
  return html`<span class="amount">${spokenAmount(cents, currency)}</span>`
}

/** The input field where the amount is not fixed. */
export function amountField(
  offeringSummary: OfferingSummary,
  { value, error }: { value?: string; error?: string | undefined },
): Html {
  const hint = rangeWords(offeringSummary)
  return field({
    name: 'amount',
    label: `Amount in whole ${offeringSummary.currency.toUpperCase()}`,
    ...(hint === '' ? {} : { hint }),
    ...(value === undefined ? {} : { value }),
    error,
    maxLength: 16,
  })
}

/** Empty where the offering has no bounds. */
export function rangeWords(offeringSummary: OfferingSummary): string {
  const { least, most } = checkoutWords(offeringSummary)
  const { minCents, maxCents, currency } = offeringSummary
  const bounds = [
    minCents !== null && `${least}: ${spokenAmount(minCents, currency)}.`,
    maxCents !== null && `${most}: ${spokenAmount(maxCents, currency)}.`,
  ]
  return bounds.filter((each) => each !== false).join(' ')
}

/** At most ten digits, so that sums stay safe integers. */
const WRITTEN = /^\s*\$?\s*(\d{1,3}(?:,\d{3}){0,3}|\d{1,10})\s*$/
const UNITS_MAX = 9_999_999_999

/** What a person typed, in cents. Fractions of a unit are rejected, never rounded. */
export function readAmount(text: string | undefined, offeringSummary: AmountRange): Cents {
  const units = Number(WRITTEN.exec(text ?? '')?.[1]?.replaceAll(',', '') ?? Number.NaN)
  if (parseCents(units * 100) === null || units < 1 || units > UNITS_MAX) {
    throw wrongAmount('must be a whole number, such as 250')
  }
  const cents = centsOf(units as WholeUnits)
  rejectOutOfRange(cents, offeringSummary)
  return cents
}

/** Also for a fixed amount: the offering's bounds may have changed since. */
export function rejectOutOfRange(cents: Cents, range: AmountRange): void {
  const problem = outOfRange(cents, range)
  if (problem !== null) throw wrongAmount(problem)
}

export type AmountRange = {
  readonly currency: string
  readonly minCents: Cents | null
  readonly maxCents: Cents | null
}

type Terms = Pick<OfferingView, 'currency' | 'min_investment_cents' | 'max_investment_cents'>

export function rangeOf({ currency, min_investment_cents, max_investment_cents }: Terms): AmountRange {
  return { currency, minCents: min_investment_cents, maxCents: max_investment_cents }
}

/** "Recipient picks within range": the error message for an amount; null if it is in range. */
export function outOfRange(cents: Cents, { minCents, maxCents, currency }: AmountRange): string | null {
  if (minCents !== null && cents < minCents) return `must be at least ${spokenAmount(minCents, currency)}`
  if (maxCents !== null && cents > maxCents) return `must not be more than ${spokenAmount(maxCents, currency)}`
  return null
}

function wrongAmount(message: string) {
  return validationError([{ field: 'amount', code: 'invalid', message }])
}

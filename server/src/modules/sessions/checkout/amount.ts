import { field } from '#http/pages/elements.ts'
import { type Html, html } from '#http/pages/html.ts'
import { validationError } from '#kernel/errors.ts'
import { type Cents, centsOf, parseCents, type WholeUnits, wholeUnits } from '#kernel/money.ts'
import { checkoutWords } from './checkout-words.ts'
import type { ToldOffering } from './told-offering.ts'

/** `$1,250`: in whole units, as every amount here is. */
function spokenAmount(cents: Cents, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 })
  return format.format(wholeUnits(cents))
}

export function amountShown(cents: Cents, currency: string): Html {
  return html`<span class="amount">${spokenAmount(cents, currency)}</span>`
}

/** For whoever chooses for themselves. */
export function amountField(
  told: ToldOffering,
  { value, error }: { value?: string; error?: string | undefined },
): Html {
  const least = told.minCents === null ? undefined : spokenAmount(told.minCents, told.currency)
  const hint = least === undefined ? undefined : `${checkoutWords(told).least}: ${least}.`
  return field({
    name: 'amount',
    label: `Amount in whole ${told.currency.toUpperCase()}`,
    ...(hint === undefined ? {} : { hint }),
    ...(value === undefined ? {} : { value }),
    error,
    maxLength: 16,
  })
}

const WRITTEN = /^\s*\$?\s*(\d{1,3}(?:,\d{3})*|\d{1,13})\s*$/

/** What a person typed, in cents. Fractions of a unit are refused, never rounded. */
export function readAmount(text: string | undefined, { minCents, currency }: ToldOffering): Cents {
  const units = Number(WRITTEN.exec(text ?? '')?.[1]?.replaceAll(',', '') ?? Number.NaN)
  if (parseCents(units * 100) === null || units < 1) throw wrongAmount('must be a whole number, such as 250')
  const cents = centsOf(units as WholeUnits)
  if (minCents === null || cents >= minCents) return cents
  throw wrongAmount(`must be at least ${spokenAmount(minCents, currency)}`)
}

function wrongAmount(message: string) {
  return validationError([{ field: 'amount', code: 'invalid', message }])
}

import type { Occasion } from '#events/index.ts'
import { validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { type Cents, centsOf, parseCents, type WholeUnits, wholeUnits } from '#kernel/money.ts'
import { confirmInvestment, readInvestment, recordInvestment } from '#market/investments/index.ts'
import type { OfferingState, OfferingView } from '#market/offerings/index.ts'
import { notice } from '#pages/blocks.ts'
import { actions, button, field, form } from '#pages/elements.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { creditInvestment, type ReferralSettings } from '#referrals/index.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'

/**
 * "Show only terms and facts as the API reports them … with fetch time … link": the catalogue renders the
 * offering for these pages.
 */
export type OfferingSummary = {
  readonly companyName: string
  readonly testingTheWaters: boolean
  readonly status: OfferingState
  readonly currency: string
  readonly minCents: Cents | null
  readonly maxCents: Cents | null
  /** Name, tagline, terms, sums with the time they were read, dates, and the link. */
  readonly html: Html
}

export type ReadOfferingSummary = (
  queries: WorldQueries,
  id: Id<'offering'>,
) => Promise<Omit<OfferingSummary, 'maxCents'> | null>

/** "When attributes.testing_the_waters is true the copy says reserve or reservation, never invest." */
type CheckoutWords = {
  readonly verb: string
  /** Verb phrase before the company's name. */
  readonly ask: string
  readonly noun: string
  /** The heading after the investment or reservation was made. */
  readonly done: string
  readonly nothingDone: string
  /** The warning above the button, on every page that leads to a checkout. */
  readonly risk: string
  readonly least: string
  readonly most: string
}

const INVEST: CheckoutWords = {
  verb: 'invest',
  ask: 'invest in',
  noun: 'investment',
  done: 'Your investment is made',
  nothingDone: 'Nothing was invested, and no money was taken.',
  risk: 'You can lose all the money that you invest, and you may not be able to sell for years. Invest only what you can afford to lose.',
  least: 'Minimum investment',
  most: 'Maximum investment',
}

const RESERVE: CheckoutWords = {
  verb: 'reserve',
  ask: 'make a reservation with',
  noun: 'reservation',
  done: 'Your reservation is made',
  nothingDone: 'Nothing was reserved.',
  risk: 'A reservation is not binding, and no money is taken. What you buy later can lose all its value.',
  least: 'Minimum reservation',
  most: 'Maximum reservation',
}

export function checkoutWords({ testingTheWaters }: { readonly testingTheWaters: boolean }): CheckoutWords {
  return testingTheWaters ? RESERVE : INVEST
}

/** The placeholders that PORTICO_CHECKOUT_URL may have in braces. */
export const CHECKOUT_PLACES = ['offering', 'session', 'invite', 'return_url', 'success_url'] as const
type CheckoutPlaces = { readonly [P in (typeof CHECKOUT_PLACES)[number]]?: string | null }

/**
 * The address of the host platform's own checkout. Values are URL-encoded, so that a partner's value cannot change the
 * address; missing values are empty.
 */
export function checkoutAddress(template: string, places: CheckoutPlaces): string {
  return CHECKOUT_PLACES.reduce(
    (address, place) => address.replaceAll(`{${place}}`, encodeURIComponent(places[place] ?? '')),
    template,
  )
}

/** `$1,250`: whole units, because every amount here is a multiple of 100 cents. */
export function amountText(cents: Cents, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 })
  return format.format(wholeUnits(cents))
}

export function amountShown(cents: Cents, currency: string): Html {
  return html`<span class="amount">${amountText(cents, currency)}</span>`
}

/** The input field for the amount, if the link does not fix it. */
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

/** Empty if the offering has no bounds. */
export function rangeWords(offeringSummary: OfferingSummary): string {
  const { least, most } = checkoutWords(offeringSummary)
  const { minCents, maxCents, currency } = offeringSummary
  const bounds = [
    minCents !== null && `${least}: ${amountText(minCents, currency)}.`,
    maxCents !== null && `${most}: ${amountText(maxCents, currency)}.`,
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

/** Fixed amounts are checked too, because the offering's bounds may have changed after the amount was fixed. */
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
  if (minCents !== null && cents < minCents) return `must be at least ${amountText(minCents, currency)}`
  if (maxCents !== null && cents > maxCents) return `must not be more than ${amountText(maxCents, currency)}`
  return null
}

function wrongAmount(message: string) {
  return validationError([{ field: 'amount', code: 'invalid', message }])
}

export type TestButton = { readonly value: string; readonly label: string }

type Parts = {
  readonly action: string
  readonly csrf: string
  readonly offeringSummary: OfferingSummary
  /** Fields before the first button, such as an amount. */
  readonly amountInput: HtmlValue
  readonly others: readonly TestButton[]
}

const SAID =
  'There is no checkout in the sandbox. These buttons simulate its outcome; no money moves and nothing is real.'

/** Replaces the host's checkout in the sandbox; clearly marked as a test. */
export function testButtons({ action, csrf, offeringSummary, amountInput, others }: Parts): Html {
  const first = button({
    label: `Test: complete the ${checkoutWords(offeringSummary).noun}`,
    name: 'do',
    value: 'succeed',
  })
  const rest = others.map(({ value, label }) =>
    button({ label: `Test: ${label}`, kind: 'secondary', name: 'do', value }),
  )
  return html`<section class="stack"><h2>Test buttons</h2>${notice(SAID, 'warning')}
${form({ action, csrf, content: html`<div class="stack">${amountInput}${actions(first, rest)}</div>` })}</section>`
}

type Played = { readonly offering: Id<'offering'>; readonly investor: Id<'user'>; readonly amount_cents: Cents }
type PlayedAt = { readonly occasion: Occasion; readonly crediting: ReferralSettings }

/**
 * Creates and confirms an investment in the test world, as the host's checkout does in the live world.
 * "Investing is human-only": a live transaction is rejected.
 */
export async function playInvestment(
  tx: Tx,
  played: Played,
  { occasion, crediting }: PlayedAt,
): Promise<Id<'investment'>> {
  if (tx.world !== 'test') throw new Error('only the test world simulates investments')
  const id = newId('investment')
  await recordInvestment(tx, { id, ...played }, occasion)
  await creditInvestment(tx, { id }, { occasion, settings: crediting })
  // A reservation is not binding: there is nothing to confirm.
  if ((await readInvestment(tx, id))?.status === 'active') await confirmInvestment(tx, { id }, occasion)
  return id
}

import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { OfferingState } from '#market/offerings/index.ts'
import type { Html } from '#pages/html.ts'
import type { WorldQueries } from '#system/postgres/database.ts'

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
  /** As a heading, once it is done. */
  readonly done: string
  readonly nothingDone: string
  /** Before the button, on every page that leads to a checkout. */
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
  risk: 'A reservation is not binding, and no money is taken. What it may lead to later can lose all its value.',
  least: 'Minimum reservation',
  most: 'Maximum reservation',
}

export function checkoutWords({ testingTheWaters }: { readonly testingTheWaters: boolean }): CheckoutWords {
  return testingTheWaters ? RESERVE : INVEST
}

/** What the setting PORTICO_CHECKOUT_URL may hold in braces. */
export const CHECKOUT_PLACES = ['offering', 'session', 'invite', 'return_url', 'success_url'] as const
type CheckoutPlaces = { readonly [P in (typeof CHECKOUT_PLACES)[number]]?: string | null }

/**
 * Where the host platform's own checkout goes on. Values are URL-encoded, so that a partner's value cannot change the
 * address; missing values are empty.
 */
export function checkoutAddress(template: string, places: CheckoutPlaces): string {
  return CHECKOUT_PLACES.reduce(
    (address, place) => address.replaceAll(`{${place}}`, encodeURIComponent(places[place] ?? '')),
    template,
  )
}

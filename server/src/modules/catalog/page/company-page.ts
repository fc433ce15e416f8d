import { appHead, card, emptyState, facts, items, tag } from '#http/pages/blocks.ts'
import { type Html, type HtmlValue, html } from '#http/pages/html.ts'
import { type PageParts, page } from '#http/pages/layout.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import { brandName } from '#http/pages/platform-brand.ts'
import type { CompanyRow, RoundRow } from '../company/company-store.ts'
import { openRounds } from '../company/current-raise.ts'
import { exemptionParts, securityLabel } from '../words.ts'
import { amount } from './amounts.ts'

export type CompanyPageParts = Required<Pick<PageParts, 'world' | 'person' | 'csrf'>> & {
  readonly company: CompanyRow
  /** What this person may see. */
  readonly rounds: readonly RoundRow[]
  readonly brand: ShownBrand
  /** When the figures were read, by the clock of the world. */
  readonly fetchedAtMs: number
}

/** A company's page as this person sees it: where every link of an app leads. */
export function companyPage(parts: CompanyPageParts): string {
  const { company, rounds, world, brand, person, csrf } = parts
  const open = openRounds(rounds)
  const place = placeOf(company)
  const main = [
    card(
      appHead({ name: company.name, logoUrl: company.logo_url, lines: place === '' ? [] : [place] }),
      company.tagline !== null && html`<p class="lead">${company.tagline}</p>`,
      html`<p class="muted">${open.length > 0 ? 'Raising' : 'Raised'} via ${brandName(brand)}</p>`,
    ),
    open.length === 0 ? NOTHING_OPEN : items(open.map((round) => card(roundOf(round)))),
    open.length > 0 && fetched(parts),
  ]
  return page({ title: company.name, main: html`${main}`, brand, ...{ world, person, csrf } })
}

const NOTHING_OPEN = emptyState({
  title: 'No open offering',
  text: 'This company is not raising at the moment. What it raised before stays with those who took part.',
})

function placeOf({ city, state, country }: CompanyRow): string {
  return [city, state, country].filter((part) => part !== null).join(', ')
}

type Words = { readonly title: string; readonly raised: string; readonly people: string; readonly least: string }

/** "When testing_the_waters is true the copy says reserve or reservation, never invest." */
const LIVE: Words = { title: 'Open for investment', raised: 'Raised', people: 'Investors', least: 'Minimum investment' }
const TESTING: Words = {
  title: 'Open for reservations',
  raised: 'Reserved',
  people: 'People who reserved',
  least: 'Minimum reservation',
}

const FOR_FEW = 'Not everybody sees this round: it is shown because of who you are.'

function roundOf(round: RoundRow): Html {
  const words = round.testing_the_waters ? TESTING : LIVE
  const money = (cents: string) => html`<span class="amount">${amount(cents, round.currency)}</span>`
  const rows: (readonly [string, HtmlValue] | false)[] = [
    [words.raised, money(round.raised_cents)],
    round.funding_target_cents !== null && ['Target', money(round.funding_target_cents)],
    [words.people, html`<span class="amount">${round.investor_count.toLocaleString('en')}</span>`],
    round.min_investment_cents !== null && [words.least, money(round.min_investment_cents)],
    ['Security', securityWords(round)],
    ['Exemption', exemptionParts(round.exemption).label],
    round.opens_at !== null && ['Opened', day(round.opens_at)],
    round.closes_at !== null && ['Closes', day(round.closes_at)],
  ]
  const badge = round.testing_the_waters && tag('Testing the waters', 'warning')
  const forFew = round.shown_to !== 'public' && html`<p class="muted">${FOR_FEW} Keep it to yourself.</p>`
  const note =
    round.testing_the_waters && html`<p class="muted">A reservation is not binding, and no money is taken.</p>`
  return html`<div class="stack"><h2>${words.title} ${badge}</h2>${note}${forFew}${facts(rows.filter((row) => row !== false))}</div>`
}

const dayWords = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
const timeWords = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })

/** A date of an offering is told as it is reported, not as so many days from now. */
function day(iso: string): Html {
  const at = new Date(iso)
  return html`<time datetime="${at.toISOString()}" title="${timeWords.format(at)} UTC">${dayWords.format(at)}</time>`
}

function securityWords({ testing_the_waters, security_type, intended_security_type }: RoundRow): string {
  if (!testing_the_waters) return security_type === null ? 'Undecided' : securityLabel(security_type)
  const intended = intended_security_type ?? security_type
  return intended === null ? 'Not decided yet' : `${securityLabel(intended)}, intended`
}

function fetched({ fetchedAtMs, brand }: CompanyPageParts): Html {
  const at = new Date(fetchedAtMs)
  const words = `${timeWords.format(at)} UTC`
  return html`<p class="small muted">Figures as of <time datetime="${at.toISOString()}">${words}</time>, via ${brandName(brand)}.</p>`
}

import type { Id } from '#kernel/ids.ts'
import { parseCents } from '#kernel/money.ts'
import { facts, tag } from '#pages/blocks.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { worldNow } from '#system/postgres/world-clock.ts'
import { type OfferingRecord, offeringRecord } from './offering-record.ts'
import { findOfferingAnyway } from './offering-store.ts'
import { exemptionParts } from './presentation.ts'

type Around = { readonly origin: () => string; readonly brand: ShownBrand }

/**
 * Describes an offering on pages that a personal link opens: only values that the API returns, with the time at which they were
 * read and a link to the company's page. "Show only terms and facts as the API reports them … No added promotional claims,
 * advice, ranking."
 */
export function offeringSummaries({ origin, brand }: Around) {
  return async (queries: WorldQueries, id: Id<'offering'>) => {
    const row = await findOfferingAnyway(queries, id)
    if (row === null) return null
    const record = offeringRecord(row, origin())
    const { company_name, testing_the_waters, status, currency } = record.attributes
    return {
      companyName: company_name,
      testingTheWaters: testing_the_waters,
      status,
      currency,
      minCents: parseCents(row.min_investment_cents),
      html: describeOffering(record, brand, Date.parse(await worldNow(queries))),
    }
  }
}

/** "When testing_the_waters is true the copy says reserve or reservation, never invest." */
const INVESTED = { raised: 'Raised', people: 'Investors', least: 'Minimum investment' }
const RESERVED = { raised: 'Reserved', people: 'People who reserved', least: 'Minimum reservation' }

function describeOffering({ attributes }: OfferingRecord, brand: ShownBrand, fetchedAtMs: number): Html {
  const { testing_the_waters: testing, currency, url, company_name, tagline } = attributes
  const words = testing ? RESERVED : INVESTED
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 })
  const money = (units: number) => html`<span class="amount">${format.format(units)}</span>`
  const row = (term: string, units: number | null): Row | false => units !== null && [term, money(units)]
  const rows: readonly (Row | false)[] = [
    ['Security', securityWords(attributes)],
    ...termRows(attributes.security.terms, currency),
    ['Exemption', exemptionParts(attributes.exemption).label],
    row('Target', attributes.funding_target),
    row(words.raised, attributes.amount_raised),
    attributes.investor_count !== null && [words.people, attributes.investor_count.toLocaleString('en')],
    row(words.least, attributes.min_investment),
    attributes.started_at !== null && ['Opened', day(attributes.started_at)],
    attributes.closes_at !== null && ['Closes', day(attributes.closes_at)],
  ]
  return html`<section class="stack"><h2><bdi>${company_name}</bdi> ${testing && tag('Testing the waters', 'warning')}</h2>
${tagline !== null && html`<p>${tagline}</p>`}
${testing && html`<p class="muted">A reservation is not binding, and no money is taken.</p>`}
${facts(rows.filter((each) => each !== false))}
<p class="small muted">As of ${time(fetchedAtMs)}, via ${brandName(brand)}. <a href="${url}">The company’s page</a></p></section>`
}

type Row = readonly [string, HtmlValue]

function securityWords({ security, intended_security }: OfferingRecord['attributes']): string {
  if (security.type !== null) return security.label ?? security.type
  return intended_security === null ? 'Not decided yet' : `${intended_security.label}, intended`
}

const dayWords = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
const timeWords = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })

/** Shows the reported date of an offering, not a number of days from now. */
function day(iso: string): Html {
  const at = new Date(iso)
  return html`<time datetime="${at.toISOString()}" title="${timeWords.format(at)} UTC">${dayWords.format(at)}</time>`
}

function time(ms: number): Html {
  const at = new Date(ms)
  return html`<time datetime="${at.toISOString()}">${timeWords.format(at)} UTC</time>`
}

type Terms = OfferingRecord['attributes']['security']['terms']
type Term = keyof NonNullable<Terms>
type Kind = 'cents' | 'money' | 'percent' | 'months' | 'times' | 'word' | 'flag'

/** The label of each term and the kind of its value, in the order of the page. */
const TERMS: Readonly<Record<Term, readonly [label: string, kind: Kind]>> = {
  valuation_cap_cents: ['Valuation cap', 'cents'],
  uncapped: ['Uncapped', 'flag'],
  discount_percent: ['Discount', 'percent'],
  most_favored_nation: ['Most favored nation', 'flag'],
  pro_rata: ['Pro rata right', 'flag'],
  share_price: ['Share price', 'money'],
  pre_money_valuation_cents: ['Pre-money valuation', 'cents'],
  share_class: ['Share class', 'word'],
  interest_rate_percent: ['Interest a year', 'percent'],
  maturity_months: ['Maturity', 'months'],
  revenue_share_percent: ['Revenue share', 'percent'],
  repayment_cap_multiple: ['Repayment cap', 'times'],
  payment_period: ['Payments', 'word'],
  revenue_basis: ['Revenue basis', 'word'],
  secured: ['Secured', 'flag'],
  guarantor: ['Guarantor', 'word'],
  first_payment_date: ['First payment', 'word'],
  name: ['Name', 'word'],
  description: ['Description', 'word'],
  more_info_url: ['More information', 'word'],
}

/** "Terms only as the API reports them": a row for each term, except terms that are null or false. */
export function termRows(terms: Terms, currency: string): readonly (readonly [string, HtmlValue])[] {
  if (terms === null) return []
  const rows = (Object.keys(TERMS) as Term[]).map((term) => {
    const [label, kind] = TERMS[term]
    const words = wordsOf(terms[term], kind, currency)
    return words === null ? null : ([label, words] as const)
  })
  return rows.filter((row) => row !== null)
}

function wordsOf(value: string | number | boolean | null | undefined, kind: Kind, currency: string): string | null {
  if (value === null || value === undefined || value === false) return null
  switch (kind) {
    case 'cents':
      return moneyOf(unitsOf(Number(value)), currency)
    case 'money':
      return moneyOf(String(value), currency)
    case 'percent':
      return `${value} %`
    case 'months':
      return `${value} months`
    case 'times':
      return `${value} times`
    case 'flag':
      return 'Yes'
    case 'word':
      return String(value)
  }
}

/** Shows whole units without a fraction, and other amounts with two decimals. */
function unitsOf(cents: number): string {
  return cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2)
}

/** Formats an amount with all of its digits, without rounding. */
function moneyOf(decimal: string, currency: string): string {
  const digits = decimal.split('.')[1]?.length ?? 0
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: Math.min(digits, 20),
    maximumFractionDigits: Math.min(digits, 20),
  })
  return format.format(decimal as Intl.StringNumericLiteral)
}

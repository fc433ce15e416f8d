import { Type } from 'typebox'
import { findUserOf } from '#access/accounts/index.ts'
import { visitor } from '#http/access.ts'
import { signInAddress } from '#http/browser/return-to.ts'
import { type OperationWords, type Route, route } from '#http/route.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { parseCents, wholeUnits } from '#kernel/money.ts'
import type { World } from '#kernel/world.ts'
import { appHead, card, emptyState, facts, items, tag } from '#pages/blocks.ts'
import { errorPage } from '#pages/error-page.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { type PageParts, page } from '#pages/layout.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import type { Databases, WorldDatabase } from '#system/postgres/database.ts'
import { openRounds } from './company-record.ts'
import { type CompanyRow, findCompanyBySlug, type RoundRow, shownRounds } from './company-store.ts'
import { fetchedAt } from './conditional.ts'
import { intendedOf } from './offering-record.ts'
import { companyPagePath, exemptionParts, securityLabel } from './presentation.ts'
import type { Viewer } from './store.ts'

export type CompanyPageDeps = {
  readonly databases: Databases
  readonly brand: ShownBrand
  readonly clock: WallClock
  readonly origin: () => string
  /** Records the referral code of the link that was followed, and returns the cookies to set. */
  readonly followLink: (db: WorldDatabase, opened: OpenedPage) => Promise<readonly string[]>
}

/** The parts of a request for a company's page that decide whether the request counts as a click on a referral link. */
export type OpenedPage = {
  readonly company: Id<'company'>
  /** The signed-in user, if they exist in this world. */
  readonly user: Id<'user'> | null
  /** The code in `?ref=…`, not checked yet. */
  readonly ref: string | undefined
  /** The Cookie header of the browser. */
  readonly cookies: string | undefined
  /** The path and scheme for a cookie. */
  readonly place: { readonly path: string; readonly https: boolean }
  readonly asking: {
    readonly isHead: boolean
    readonly dest: string | undefined
    /** The header Sec-Purpose; in older browsers the headers Purpose and X-Moz. */
    readonly purposes: readonly (string | undefined)[]
  }
}

/** A malformed value counts as no code; the page is shown anyway. */
const Followed = Type.Object({ ref: Type.Optional(Type.String({ description: 'The referral code of the link.' })) })

const Slug = Type.Object({ slug: Type.String({ pattern: '^[0-9a-z._-]{1,100}$' }) })

/** Each world has its own path, so that a sandbox link never leads to a real company. */
export const companyPageRoutes = (deps: CompanyPageDeps): Route[] => [
  pageRoute(deps, {
    world: 'live',
    operation: 'showCompanyPage',
    summary: 'Show a company’s page',
    description:
      'The page of a company, with the open offerings that the visitor may see. Links with a referral code lead here.',
  }),
  pageRoute(deps, {
    world: 'test',
    operation: 'showSandboxCompanyPage',
    summary: 'Show a sandbox company’s page',
    description: 'The page of a company of the test world.',
  }),
]

type Served = OperationWords & { readonly world: World; readonly operation: string }

function pageRoute(deps: CompanyPageDeps, { world, operation, summary, description }: Served): Route {
  const { databases, brand, clock } = deps
  const db = databases[world]
  return route({
    operation,
    method: 'GET',
    path: companyPagePath(world, ':slug'),
    alias: false,
    errorsAs: 'page',
    summary,
    description,
    tag: 'Pages',
    access: visitor('A visitor who has not signed in sees the public view.'),
    queryAs: 'raw',
    schema: { params: Slug, query: Followed, response: { 200: Type.String(), 404: Type.String() } },
    contentType: 'text/html; charset=utf-8',
    handler: async ({ params: { slug }, query, caller, browser: { csrf }, requestId, header, isHead }) => {
      const viewer = await viewerIn(deps, world, caller)
      const around = { world, brand, person: caller, csrf }
      const company = await findCompanyBySlug(db, viewer, slug)
      if (company === null) {
        const body = nothingHerePage({ ...around, address: companyPagePath(world, slug), requestId })
        return { status: 404, body, refusal: 'not_found' }
      }
      const rounds = await shownRounds(db, viewer, company.id)
      const place = { path: companyPagePath(world, slug), https: deps.origin().startsWith('https:') }
      const purposes = ['sec-purpose', 'purpose', 'x-moz'].map(header)
      const asking = { isHead, dest: header('sec-fetch-dest'), purposes }
      const opened = {
        company: company.id,
        user: viewer,
        ref: query.values.get('ref')?.[0],
        cookies: header('cookie'),
        place,
        asking,
      }
      const cookies = await deps.followLink(db, opened)
      const body = companyPage({ ...around, company, rounds, fetchedAtMs: await fetchedAt(db, clock) })
      return { status: 200, body, ...(cookies.length === 0 ? {} : { headers: { 'set-cookie': cookies } }) }
    },
  })
}

/** "Resolves when that user could see it on the site": the page shows what the signed-in user may see. */
async function viewerIn({ databases }: CompanyPageDeps, world: World, caller: AccountCaller | null): Promise<Viewer> {
  return caller === null ? null : findUserOf(databases.platform.reads, caller.accountId, world)
}

type Parts = Omit<PageParts, 'title' | 'main'> & { readonly address: string; readonly requestId: string }

/** A hidden company and one that does not exist get the same page, so that the page reveals nothing. */
function nothingHerePage({ address, ...around }: Parts): string {
  return errorPage({
    ...around,
    title: 'There is nothing here',
    message: 'No company has its page at this address, or the company is not public.',
    remediation:
      around.person === null
        ? html`If you were invited, <a href="${signInAddress(address)}">sign in</a> to look again.`
        : 'Check the address, or sign in as the person who was invited.',
  })
}

type CompanyPageParts = Required<Pick<PageParts, 'world' | 'person' | 'csrf'>> & {
  readonly company: CompanyRow
  /** The rounds that this person may see. */
  readonly rounds: readonly RoundRow[]
  readonly brand: ShownBrand
  /** When the figures were read, in world time. */
  readonly fetchedAtMs: number
}

/** A company's page for this person. The referral links of apps lead here. */
function companyPage(parts: CompanyPageParts): string {
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
  text: 'This company is not raising money at the moment. This page shows only open offerings.',
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

const FOR_FEW = 'This round is not public: it is shown because of who you are.'

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

/** Shows the reported date of an offering, not a number of days from now. */
function day(iso: string): Html {
  const at = new Date(iso)
  return html`<time datetime="${at.toISOString()}" title="${timeWords.format(at)} UTC">${dayWords.format(at)}</time>`
}

function securityWords(round: RoundRow): string {
  const { testing_the_waters, security_type } = round
  const intended = intendedOf(round)
  if (intended !== null) return `${securityLabel(intended)}, intended`
  return testing_the_waters || security_type === null ? 'Not decided yet' : securityLabel(security_type)
}

function fetched({ fetchedAtMs, brand }: CompanyPageParts): Html {
  const at = new Date(fetchedAtMs)
  const words = `${timeWords.format(at)} UTC`
  return html`<p class="small muted">Figures as of <time datetime="${at.toISOString()}">${words}</time>, via ${brandName(brand)}.</p>`
}

/** Formats an amount in whole units, like every amount here: `$125,000`. */
function amount(cents: string, currency: string): string {
  const parsed = parseCents(cents)
  if (parsed === null) throw new TypeError(`not an amount: ${cents}`)
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 0 })
  return format.format(wholeUnits(parsed))
}

import type { Browser } from '#http/browser/cookies.ts'
import { pagePolicy } from '#http/security-headers.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import type { World } from '#kernel/world.ts'
import { appHead, card } from './blocks.ts'
import { signedInAs } from './elements.ts'
import { errorPage } from './error-page.ts'
import { type Html, type HtmlValue, html } from './html.ts'
import { type Person, page } from './layout.ts'
import type { ShownBrand } from './platform-brand.ts'
import { formTargets, placeWords, returnPlace } from './return-place.ts'

/** A request for a hosted page, by a person who may not have signed in yet. */
export type Visit = {
  readonly caller: AccountCaller | null
  readonly browser: Browser
  readonly requestId: string
}

/** A visit to a page whose address is an unguessable link (`PageLinks`). */
export type LinkVisit = Visit & { readonly params: { readonly link: string } }

/** The result of an entry guard: the data to show the page with, or the response if the page cannot be shown. */
export type Guarded<Entry, ApiResponse> = { readonly entry: Entry } | { readonly answer: ApiResponse }

type Redirect = { readonly status: 303; readonly body: null; readonly headers: { readonly Location: string } }

export type ShownPage<Status extends number> = {
  readonly status: Status
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The response of a hosted page: the page, or a redirect. */
export type PageResponse<Status extends number> = ShownPage<Status> | Redirect

export function away(location: string): Redirect {
  return { status: 303, body: null, headers: { Location: location } }
}

/** The parts that all pages of one visit share. */
export type Frame = {
  readonly brand: ShownBrand
  /** Null if the link names no world. */
  readonly world: World | null
  readonly csrf: string
  /** Null if the person is not signed in, or if this page must not name them. */
  readonly person: Person | null
  /** The page's own address, to which a person returns after signing in with another account. */
  readonly address: string
  readonly requestId: string
}

type Framed<Status extends number> = {
  readonly status: Status
  readonly title: string
  /** A message about what went wrong, at the top of the page. */
  readonly first?: HtmlValue
  /** The heading: what the person decides. Without it, `above` or `below` contains a heading. */
  readonly question?: HtmlValue
  /** Shown above the signed-in account: the app that makes the request. */
  readonly above: readonly HtmlValue[]
  readonly below?: readonly HtmlValue[]
  /** The address of another server to which the page's form may redirect. */
  readonly leadsTo?: string | null
}

/** A page on which the signed-in account makes a decision. */
export function framedPage<Status extends number>(
  { brand, world, csrf, person, address }: Omit<Frame, 'requestId'>,
  { status, title, first, question, above, below = [], leadsTo = null }: Framed<Status>,
): ShownPage<Status> {
  const account = person !== null && signedInAs({ person, csrf, returnTo: address })
  const heading = question !== undefined && html`<h1>${question}</h1>`
  const body = page({ title, main: card(first, heading, ...above, account, ...below), brand, world })
  if (leadsTo === null) return { status, body }
  return { status, body, headers: { 'Content-Security-Policy': pagePolicy({ formAction: formTargets(leadsTo) }) } }
}

export type Refusal<Status extends number = 400 | 403 | 404> = {
  readonly status: Status
  readonly title: string
  readonly message: string
  readonly remediation: string
  /** For the developer of the app that sent the person here. */
  readonly detail?: string
}

const FRONT_PAGE = [{ label: 'Go to the front page', href: '/' }]

/** The page for a person who cannot continue. It never redirects, and shows only the words that the caller passes. */
export function refusalPage<Status extends number>(
  { status, ...words }: Refusal<Status>,
  { brand, world, csrf, person, address, requestId }: Frame,
): ShownPage<Status> {
  const next = person !== null && signedInAs({ person, csrf, returnTo: address })
  return { status, body: errorPage({ ...words, next, onward: FRONT_PAGE, brand, world, requestId }) }
}

type IntroducedApp = {
  readonly name: string
  readonly logoUrl: string | null
  readonly organization: { readonly name: string }
}

type Introduction = {
  /** The company or syndicate that the app acts for here. */
  readonly on?: string
  readonly returnUrl?: string | null
  readonly heading?: 1 | 2 | null
}

/** The app that makes the request, the organization that owns it, and where the person will return to. */
export function introduceApp(
  { name, logoUrl, organization }: IntroducedApp,
  { on, returnUrl = null, heading = null }: Introduction = {},
): Html {
  const byOrganization = html`by <bdi>${organization.name}</bdi>`
  const lines = [on === undefined ? byOrganization : html`${byOrganization}, for <bdi>${on}</bdi>`]
  if (returnUrl !== null) lines.push(html`You will return to ${placeWords(returnPlace(returnUrl))}`)
  return appHead({ name, logoUrl, lines, heading })
}

import type { Logger } from 'pino'
import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import type { Browser } from '#http/browser/cookies.ts'
import type { RawQuery } from '#http/input/read-query.ts'
import { type Route, route } from '#http/route.ts'
import { pagePolicy } from '#http/security-headers.ts'
import type { WallClock } from '#kernel/clock.ts'
import { notFound } from '#kernel/errors.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import type { PasswordHasher } from '../passwords.ts'
import type { SignInSettings } from '../settings.ts'
import { carriedReturnTo, formTargetsAfter } from '../sign-in/return-to.ts'
import { statusOf } from '../sign-in/sign-in-page.ts'
import { type PasswordRefusal, verifyPassword } from '../sign-in/sign-in-with-password.ts'
import type { DeviceCookies } from '../sign-in/sign-ins.ts'
import { countCallback, forgetAttempts } from '../sign-in/throttle.ts'
import {
  LINK_IDENTITY_PATH,
  linkIdentityPage,
  type OpenIdRefusal,
  type PendingLink,
  pendingLinks,
  refusalPage,
} from './pages.ts'
import { openIdProvider } from './provider.ts'
import { ProviderRefusal } from './provider-fetch.ts'
import { type IdentityOutcome, signInWithIdentity } from './sign-in-with-identity.ts'
import { consumeState } from './store.ts'
import {
  type OpenIdCookie,
  readTicketCookie,
  TICKET_COOKIE_CHARS_MAX,
  TICKET_SECONDS,
  type Ticket,
  ticketCookie,
  tickets,
} from './ticket.ts'

export type OpenIdRouteDeps = {
  readonly platform: PlatformDatabase
  readonly keys: Keyring
  readonly clock: WallClock
  readonly log: Pick<Logger, 'warn'>
  /** Our public address, known once we listen. */
  readonly origin: () => string
  readonly brand: ShownBrand
  readonly settings: SignInSettings
  readonly hasher: PasswordHasher
  readonly deviceCookies: DeviceCookies
}

type Arriving = {
  readonly browser: Browser
  readonly requestId: string
  readonly returnTo: string
  /** The cookie to clear. */
  readonly done: OpenIdCookie
}

const CALLBACK = '/sign-in/openid/callback'

const COMMON = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  access: visitor('A person who is about to sign in has not done so yet.'),
} as const

const Page = Type.String()
const REFUSALS = { 400: Page, 403: Page, 429: Page, 503: Page }
const ANSWERS = { 303: Type.Null(), ...REFUSALS }
const SHOWN = { 200: Page, ...REFUSALS }
const LINKED = { 422: Page, ...ANSWERS }

export function openIdRoutes(deps: OpenIdRouteDeps): Route[] {
  const { platform, keys, clock, log, origin, brand, settings, deviceCookies } = deps
  const provider = settings.openid === null ? null : openIdProvider(settings.openid, clock)
  const pendings = pendingLinks(keys, clock)
  const name = settings.openid?.name ?? ''
  const sealed = tickets(keys, clock)
  const isHttps = () => origin().startsWith('https:')

  const refused = (refusal: OpenIdRefusal, requestId: string, returnTo: string | null) =>
    refusalPage(refusal, { brand, provider: name, requestId, returnTo })

  /** What goes wrong between two servers is for the log; the person reads what to do. */
  const refusedByProvider = (error: unknown, requestId: string, returnTo: string) => {
    if (!(error instanceof ProviderRefusal)) throw error
    log.warn({ request_id: requestId, reason: error.reason, detail: error.message }, 'OpenID Connect sign-in failed')
    return refused(error.reason, requestId, returnTo)
  }

  const pendingOf = (cookies: string | undefined) =>
    provider === null ? null : pendings.open(readTicketCookie(isHttps(), cookies, 'pendingLink'))

  const askPassword = (pending: PendingLink, csrf: string, refusal?: PasswordRefusal) => ({
    body: linkIdentityPage({ brand, csrf, provider: name, pending, refusal }),
    headers: { 'Content-Security-Policy': pagePolicy({ formAction: formTargetsAfter(pending.returnTo) }) },
  })

  const browserOf = (browser: Browser, header: (name: string) => string | undefined) => ({
    origin,
    cookieBefore: browser.cookieValue,
    devices: deviceCookies.read(header('cookie')),
    userAgent: header('user-agent'),
  })

  const toPasswordPage = (
    { identity, email }: Omit<PendingLink, 'returnTo'>,
    { returnTo }: Ticket,
    requestId: string,
  ) => {
    const pending = ticketCookie(isHttps(), pendings.seal({ identity, email, returnTo }), 'pendingLink')
    if (pending.length > TICKET_COOKIE_CHARS_MAX) return refused('too_long', requestId, null)
    const cookies = [pending, ticketCookie(isHttps(), null)]
    return { status: 303 as const, body: null, headers: { Location: LINK_IDENTITY_PATH, 'Set-Cookie': cookies } }
  }

  const arrived = (outcome: Exclude<IdentityOutcome, { kind: 'password_needed' }>, at: Arriving) => {
    const { browser, requestId, returnTo, done } = at
    if (outcome.kind !== 'signed_in') return refused(outcome.kind, requestId, returnTo)
    const cookies = [
      browser.setCookie(outcome.cookieValue),
      deviceCookies.write(outcome.devices),
      ticketCookie(isHttps(), null, done),
    ]
    return { status: 303 as const, body: null, headers: { Location: returnTo, 'Set-Cookie': cookies } }
  }

  return [
    route({
      ...COMMON,
      operation: 'startOpenIdSignIn',
      method: 'GET',
      path: '/sign-in/openid',
      summary: 'Start OpenID sign-in',
      description: 'Redirects to the OpenID Connect provider, where the person signs in.',
      schema: {
        query: Type.Object({ return_to: Type.Optional(Type.String()), again: Type.Optional(Type.String()) }),
        response: ANSWERS,
      },
      handler: async ({ query, requestId }) => {
        if (provider === null) throw notFound('no OpenID Connect provider is set')
        const returnTo = carriedReturnTo(query.return_to)
        try {
          const { location, ticket } = await provider.startSignIn(origin() + CALLBACK, returnTo, query.again === 'yes')
          const cookie = ticketCookie(isHttps(), sealed.seal(ticket))
          if (cookie.length > TICKET_COOKIE_CHARS_MAX) return refused('too_long', requestId, null)
          return { status: 303, body: null, headers: { Location: location, 'Set-Cookie': cookie } }
        } catch (error) {
          return refusedByProvider(error, requestId, returnTo)
        }
      },
    }),
    route({
      ...COMMON,
      operation: 'finishOpenIdSignIn',
      method: 'GET',
      path: CALLBACK,
      queryAs: 'raw',
      summary: 'Finish OpenID sign-in',
      description: 'Receives the person back from the OpenID Connect provider.',
      schema: { response: ANSWERS },
      handler: async ({ query, browser, caller, address, header, requestId }) => {
        if (provider === null || settings.openid === null) throw notFound('no OpenID Connect provider is set')
        const from = { address, browser: browser.cookieValue }
        const wait = await countCallback(platform, keys('sign-in'), settings.openid, from)
        if (wait !== null) return { ...refused('too_many', requestId, null), headers: { 'Retry-After': String(wait) } }
        const ticket = sealed.open(readTicketCookie(isHttps(), header('cookie')))
        if (ticket === null) return refused('expired', requestId, null)
        // Used up before anything is checked: a callback that failed cannot be tried again, here or in another process.
        const isFirst = await consumeState(platform, digestOf(ticket.state), TICKET_SECONDS)
        if (!isFirst) return refused('mismatch', requestId, ticket.returnTo)
        try {
          const identity = await provider.finishSignIn(callbackAddress(origin(), query), ticket)
          const returning = { ...browserOf(browser, header), proven: caller?.accountId ?? null }
          const outcome = await platform.transaction((tx) => signInWithIdentity(tx, identity, returning))
          if (outcome.kind === 'password_needed') return toPasswordPage({ identity, ...outcome }, ticket, requestId)
          return arrived(outcome, { browser, requestId, returnTo: ticket.returnTo, done: 'ticket' })
        } catch (error) {
          return refusedByProvider(error, requestId, ticket.returnTo)
        }
      },
    }),
    route({
      ...COMMON,
      operation: 'showOpenIdLink',
      method: 'GET',
      path: LINK_IDENTITY_PATH,
      summary: 'Ask for the account’s password',
      description: 'The page that asks for the password of an existing account before it is linked with the provider.',
      schema: { response: SHOWN },
      handler: async ({ browser, header, requestId }) => {
        const pending = pendingOf(header('cookie'))
        if (pending === null) return refused('expired', requestId, null)
        return { status: 200, ...askPassword(pending, browser.csrf) }
      },
    }),
    route({
      ...COMMON,
      operation: 'linkOpenIdIdentity',
      method: 'POST',
      path: LINK_IDENTITY_PATH,
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Link an account with the provider',
      description: 'Verifies the password, links the account with the provider and signs the person in.',
      schema: {
        body: Type.Object({ password: Type.Optional(Type.String()) }),
        response: LINKED,
      },
      // No transaction around it: one would be held open while a password is hashed.
      handler: async ({ browser, body, address, header, requestId }) => {
        const pending = pendingOf(header('cookie'))
        if (pending === null) return refused('expired', requestId, null)
        const { identity, email, returnTo } = pending
        const known = browserOf(browser, header)
        const attempt = { email, password: body.password ?? '', address, devices: known.devices }
        const verified = await verifyPassword(deps, attempt)
        if ('kind' in verified) {
          const asked = askPassword(pending, browser.csrf, verified)
          const wait = verified.kind === 'too_many' ? { 'Retry-After': String(verified.retryAfterSeconds) } : {}
          return { status: statusOf(verified), body: asked.body, headers: { ...asked.headers, ...wait } }
        }
        const returning = { ...known, proven: verified.account.id }
        const outcome = await platform.transaction(async (tx) => {
          const signedIn = await signInWithIdentity(tx, identity, returning)
          if (signedIn.kind === 'signed_in') await forgetAttempts(tx, verified.counted)
          return signedIn
        })
        // Another account has this address since the provider was asked.
        if (outcome.kind === 'password_needed') return refused('mismatch', requestId, returnTo)
        return arrived(outcome, { browser, requestId, returnTo, done: 'pendingLink' })
      },
    }),
  ]
}

/** The callback URL with our public origin, whatever host name the request used. */
function callbackAddress(origin: string, { values }: RawQuery): URL {
  const url = new URL(CALLBACK, origin)
  for (const [name, all] of values) for (const value of all) url.searchParams.append(name, value)
  return url
}

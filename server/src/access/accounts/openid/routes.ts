import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import type { RawQuery } from '#http/input/read-query.ts'
import { type Route, route } from '#http/route.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { notFound } from '#kernel/errors.ts'
import { digestOf } from '#system/crypto/secret.ts'
import { carriedReturnTo } from '../sign-in/return-to.ts'
import { countCallback } from '../sign-in/throttle.ts'
import { type OpenIdRouteDeps, openIdLinkRoutes, type ReturnedBrowser, returningBrowser } from './link-routes.ts'
import {
  LINK_IDENTITY_PATH,
  LINK_SIGNED_IN_PATH,
  type OpenIdRefusal,
  type PendingLink,
  pendingLinks,
  refusalPage,
} from './pages.ts'
import { openIdProvider } from './provider.ts'
import { ProviderRefusal } from './provider-fetch.ts'
import { type IdentityOutcome, type ProofNeeded, signInWithIdentity } from './sign-in-with-identity.ts'
import { consumeState } from './store.ts'
import { readTicketCookie, TICKET_COOKIE_CHARS_MAX, TICKET_SECONDS, ticketCookie, tickets } from './ticket.ts'

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

export function openIdRoutes(deps: OpenIdRouteDeps): Route[] {
  const { platform, keys, clock, log, origin, brand, settings, deviceCookies } = deps
  const provider = settings.openid === null ? null : openIdProvider(settings.openid, clock)
  const pendings = pendingLinks(keys, clock)
  const name = settings.openid?.name ?? ''
  const sealed = tickets(keys, clock)
  const isHttps = () => origin().startsWith('https:')

  const refused = (refusal: OpenIdRefusal, requestId: string, returnTo: string | null) =>
    refusalPage(refusal, { brand, provider: name, requestId, returnTo })

  /** Logs what went wrong between the two servers; the page says only what the person can do. */
  const refusedByProvider = (error: unknown, requestId: string, returnTo: string) => {
    if (!(error instanceof ProviderRefusal)) throw error
    log.warn({ request_id: requestId, reason: error.reason, detail: error.message }, 'OpenID Connect sign-in failed')
    return refused(error.reason, requestId, returnTo)
  }

  const toLinkPage = (link: PendingLink, caller: AccountCaller | null, requestId: string) => {
    const pending = ticketCookie(isHttps(), pendings.seal(link), 'pendingLink')
    if (pending.length > TICKET_COOKIE_CHARS_MAX) return refused('too_long', requestId, null)
    const cookies = [pending, ticketCookie(isHttps(), null)]
    const Location = caller?.accountId === link.account ? LINK_SIGNED_IN_PATH : LINK_IDENTITY_PATH
    return { status: 303 as const, body: null, headers: { Location, 'Set-Cookie': cookies } }
  }

  const signedInResponse = (outcome: Exclude<IdentityOutcome, ProofNeeded>, at: ReturnedBrowser) => {
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
        if (provider === null) throw notFound('no OpenID Connect provider is configured')
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
      description:
        'Signs a person in who returns from the OpenID Connect provider, or redirects them to link an existing account.',
      schema: { response: ANSWERS },
      handler: async ({ query, browser, caller, address, header, requestId }) => {
        if (provider === null || settings.openid === null) throw notFound('no OpenID Connect provider is configured')
        const from = { address, browser: browser.cookieValue }
        const wait = await countCallback(platform, keys('sign-in'), settings.openid, from)
        if (wait !== null) return { ...refused('too_many', requestId, null), headers: { 'Retry-After': String(wait) } }
        const ticket = sealed.open(readTicketCookie(isHttps(), header('cookie')))
        if (ticket === null) return refused('expired', requestId, null)
        // The state is used up before the response is checked, so that a failed callback cannot be sent again to any process.
        const isFirst = await consumeState(platform, digestOf(ticket.state), TICKET_SECONDS)
        if (!isFirst) return refused('mismatch', requestId, ticket.returnTo)
        try {
          const identity = await provider.finishSignIn(callbackAddress(origin(), query), ticket)
          const returning = { ...returningBrowser(deps, browser, header), proof: null }
          const outcome = await platform.transaction((tx) => signInWithIdentity(tx, identity, returning))
          const { returnTo } = ticket
          if (outcome.kind !== 'proof_needed')
            return signedInResponse(outcome, { browser, requestId, returnTo, done: 'ticket' })
          const { account, email, hasPassword } = outcome
          return toLinkPage({ account, email, hasPassword, identity, returnTo }, caller, requestId)
        } catch (error) {
          return refusedByProvider(error, requestId, ticket.returnTo)
        }
      },
    }),
    ...openIdLinkRoutes({ ...deps, isOffered: provider !== null, refused, signedInResponse, pendings }),
  ]
}

/** The callback URL with our public origin, whatever host name the request used. */
function callbackAddress(origin: string, { values }: RawQuery): URL {
  const url = new URL(CALLBACK, origin)
  for (const [name, all] of values) for (const value of all) url.searchParams.append(name, value)
  return url
}

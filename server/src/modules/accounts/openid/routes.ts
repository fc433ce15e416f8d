import type { Logger } from 'pino'
import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import type { RawQuery } from '#http/input/query-text.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import { type Route, route } from '#http/route.ts'
import type { WallClock } from '#kernel/clock.ts'
import { notFound } from '#kernel/errors.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import type { SignInSettings } from '../settings.ts'
import { carriedReturnTo } from '../sign-in/return-to.ts'
import { openIdProvider } from './provider.ts'
import { ProviderRefusal } from './provider-refusal.ts'
import { type OpenIdRefusal, refusalPage } from './refusal-page.ts'
import { signInWithIdentity } from './sign-in-with-identity.ts'
import { TICKET_SECONDS, tickets } from './ticket.ts'
import { readTicketCookie, TICKET_COOKIE_CHARS_MAX, ticketCookie } from './ticket-cookie.ts'
import { consumeState } from './used-state-store.ts'

export type OpenIdRouteDeps = {
  readonly platform: PlatformDatabase
  readonly keys: Keyring
  readonly clock: WallClock
  readonly log: Pick<Logger, 'warn'>
  /** Our public address, known once we listen. */
  readonly origin: () => string
  readonly brand: ShownBrand
  readonly settings: SignInSettings
}

const CALLBACK = '/sign-in/openid/callback'

const COMMON = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  access: visitor('Whoever is to sign in has not done so yet.'),
} as const

const ANSWERS = { 303: Type.Null(), 400: Type.String(), 403: Type.String(), 503: Type.String() }

export function openIdRoutes({ platform, keys, clock, log, origin, brand, settings }: OpenIdRouteDeps): Route[] {
  const provider = settings.openid === null ? null : openIdProvider(settings.openid)
  const name = settings.openid?.name ?? ''
  const sealed = tickets(keys, clock)
  const isHttps = () => origin().startsWith('https:')

  const refused = (refusal: OpenIdRefusal, requestId: string, returnTo: string | null) =>
    refusalPage(refusal, { brand, provider: name, requestId, returnTo })

  /** What goes wrong between two servers is for the log; the person hears what to do. */
  const told = (error: unknown, requestId: string, returnTo: string) => {
    if (!(error instanceof ProviderRefusal)) throw error
    log.warn({ request_id: requestId, reason: error.reason, detail: error.message }, 'OpenID Connect sign-in failed')
    return refused(error.reason, requestId, returnTo)
  }

  return [
    route({
      ...COMMON,
      operation: 'startOpenIdSignIn',
      method: 'GET',
      path: '/sign-in/openid',
      summary: 'Start OpenID sign-in',
      description: 'Redirects to the OpenID Connect provider, where the person signs in.',
      schema: { query: Type.Object({ return_to: Type.Optional(Type.String()) }), response: ANSWERS },
      handler: async ({ query, requestId }) => {
        if (provider === null) throw notFound('no OpenID Connect provider is set')
        const returnTo = carriedReturnTo(query.return_to)
        try {
          const { location, ticket } = await provider.depart(origin() + CALLBACK, returnTo)
          const cookie = ticketCookie(isHttps(), sealed.seal(ticket))
          if (cookie.length > TICKET_COOKIE_CHARS_MAX) return refused('too_long', requestId, null)
          return { status: 303, body: null, headers: { Location: location, 'Set-Cookie': cookie } }
        } catch (error) {
          return told(error, requestId, returnTo)
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
      handler: async ({ query, browser, header, requestId }) => {
        if (provider === null) throw notFound('no OpenID Connect provider is set')
        const ticket = sealed.open(readTicketCookie(isHttps(), header('cookie')))
        if (ticket === null) return refused('expired', requestId, null)
        // Used up before anything is checked: a callback that failed cannot be tried again, here or in another process.
        const isFirst = await consumeState(platform, digestOf(ticket.state), TICKET_SECONDS)
        if (!isFirst) return refused('mismatch', requestId, ticket.returnTo)
        try {
          const identity = await provider.arrive(callbackAddress(origin(), query), ticket)
          const outcome = await platform.transaction((tx) => signInWithIdentity(tx, identity, browser.cookieValue))
          if (outcome.kind !== 'signed_in') return refused(outcome.kind, requestId, ticket.returnTo)
          const cookies = [browser.setCookie(outcome.cookieValue), ticketCookie(isHttps(), null)]
          return { status: 303, body: null, headers: { Location: ticket.returnTo, 'Set-Cookie': cookies } }
        } catch (error) {
          return told(error, requestId, ticket.returnTo)
        }
      },
    }),
  ]
}

/** The address the provider sent the browser to, under our public name and not under whichever we were reached. */
function callbackAddress(origin: string, { values }: RawQuery): URL {
  const url = new URL(CALLBACK, origin)
  for (const [name, all] of values) for (const value of all) url.searchParams.append(name, value)
  return url
}

import { RETURN_TO_CHARS_MAX } from '#http/browser/return-to.ts'
import { ApiError } from '#kernel/errors.ts'
import type { World } from '#kernel/world.ts'
import { formTargets } from '#pages/return-place.ts'

/** The page after a sign-in without a return address: the connected apps. */
export const DEFAULT_RETURN_TO = '/settings/apps'

const HERE = 'http://here.invalid'
/** Browsers drop tabs and line breaks from an address and read a backslash as a slash; spaces and the rest are encoded. */
const NEVER_IN_A_PATH = /[^\x21-\x7e]|\\/
/** A return to the sign-in page would loop. */
const SIGN_IN_ITSELF = /^\/(sign-(in|out|up)|forgot-password)(\/|$)/
const ENCODED_SLASH_FIRST = /^\/(%2f|%5c)/i

/**
 * RFC 9700, 4.11: no open redirects. After signing in a person goes to a path of this very service or to the default,
 * wherever a link to the sign-in page wanted to send them. What is returned is the path as a browser reads it, so that
 * no later reader can read it differently.
 */
export function localReturnTo(wanted: string | undefined, fallback: string = DEFAULT_RETURN_TO): string {
  if (wanted === undefined || wanted.length > RETURN_TO_CHARS_MAX) return fallback
  if (!wanted.startsWith('/') || NEVER_IN_A_PATH.test(wanted)) return fallback
  const url = URL.parse(wanted, HERE)
  if (url === null || url.origin !== HERE) return fallback
  const { pathname, search } = url
  // `/.//evil.example` is a path here and, once written out without its dot, an address elsewhere.
  if (pathname.startsWith('//') || ENCODED_SLASH_FIRST.test(pathname)) return fallback
  if (SIGN_IN_ITSELF.test(pathname)) return fallback
  return pathname + search
}

/** A return address that is too long is rejected before the sign-in, and not dropped during it. */
export function carriedReturnTo(wanted: string | undefined, fallback: string = DEFAULT_RETURN_TO): string {
  if (wanted === undefined || wanted.length <= RETURN_TO_CHARS_MAX) return localReturnTo(wanted, fallback)
  throw new ApiError('invalid_request', {
    public: 'The link that brought you here is too long: after signing in, we could not take you back to it.',
    remediation: 'Go back to where you came from and start again. If it stays, tell the people who sent you here.',
  })
}

const SANDBOX_INSTALL = /^\/apps\/pk_test_/

/** The sandbox's band is shown when the app that sent the person here belongs to the test world. */
export function worldOfReturnTo(returnTo: string): World | null {
  const url = URL.parse(returnTo, HERE)
  if (url === null) return null
  const sandbox = SANDBOX_INSTALL.test(url.pathname) || url.searchParams.get('client_id')?.startsWith('pk_test_')
  return sandbox === true ? 'test' : null
}

const INSTALL = /^\/apps\/([^/]+)\/install$/

/** The app for which the person signs in, by the id in the return address; null where none is named, or several. */
export function clientIdIn(returnTo: string): string | null {
  const url = URL.parse(returnTo, HERE)
  if (url === null) return null
  if (url.pathname !== '/oauth/authorize') return INSTALL.exec(url.pathname)?.[1] ?? null
  const [clientId = null, ...others] = url.searchParams.getAll('client_id')
  return others.length === 0 ? clientId : null
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])
/** RFC 8252, 7.1: a domain name turned round. No other scheme is a valid redirect URI. */
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9][a-z0-9+-]*)+:$/

/** Wherever an app that is being installed has its setup page, which only the next page knows. */
const ANY_SETUP_URL = formTargets('http://localhost/')
/** Where a key has only one redirect URI, it may be left out; not on loopback. */
const REGISTERED = formTargets('https://registered.invalid/')

/**
 * Where the sign-in form may lead, beyond us. Chromium holds the policy of the page against every redirect that follows
 * its form: after signing in, to the app's request, and from there to the app itself if the request has to be refused.
 * The authorize endpoint checks whether the app is trusted; the link is believed here only
 * as far as a redirect URI could look like that.
 */
export function formTargetsAfter(returnTo: string): readonly string[] {
  const url = URL.parse(returnTo, HERE)
  if (url?.pathname.startsWith('/apps/') === true) return ANY_SETUP_URL
  if (url?.pathname !== '/oauth/authorize') return []
  const [redirectUri = '', ...others] = url.searchParams.getAll('redirect_uri')
  if (others.length > 0) return []
  if (redirectUri === '') return REGISTERED
  return isPossible(URL.parse(redirectUri)) ? formTargets(redirectUri) : []
}

function isPossible(redirectUri: URL | null): boolean {
  if (redirectUri === null) return false
  const { protocol, hostname } = redirectUri
  return protocol === 'https:' || PRIVATE_USE.test(protocol) || (protocol === 'http:' && LOOPBACK.has(hostname))
}

import { RETURN_TO_CHARS_MAX } from '#http/browser/return-to.ts'
import { ApiError } from '#kernel/errors.ts'
import type { World } from '#kernel/world.ts'
import { formTargets } from '#pages/return-place.ts'

/** The page after a sign-in without a return address: the connected apps. */
export const DEFAULT_RETURN_TO = '/settings/apps'

const HERE = 'http://here.invalid'
/**
 * Browsers drop tabs and line breaks from an address and read a backslash as a slash, so we reject them. Other characters outside
 * visible ASCII have to be percent-encoded.
 */
const NEVER_IN_A_PATH = /[^\x21-\x7e]|\\/
/** Pages to which a sign-in never returns: /sign-in redirects a signed-in person, who could get into a redirect loop. */
const SIGN_IN_ITSELF = /^\/(sign-(in|out|up)|forgot-password)(\/|$)/
const ENCODED_SLASH_FIRST = /^\/(%2f|%5c)/i

/**
 * RFC 9700, 4.11: no open redirects. A link to the sign-in page can only return a person to a path of this service; any other
 * address becomes the default. Returns the path as a browser parses it, so that no later parser reads it differently.
 */
export function localReturnTo(wanted: string | undefined, fallback: string = DEFAULT_RETURN_TO): string {
  if (wanted === undefined || wanted.length > RETURN_TO_CHARS_MAX) return fallback
  if (!wanted.startsWith('/') || NEVER_IN_A_PATH.test(wanted)) return fallback
  const url = URL.parse(wanted, HERE)
  if (url === null || url.origin !== HERE) return fallback
  const { pathname, search } = url
  // `/.//evil.example` is one of our paths, but browsers normalize it to `//evil.example`, which is another host.
  if (pathname.startsWith('//') || ENCODED_SLASH_FIRST.test(pathname)) return fallback
  if (SIGN_IN_ITSELF.test(pathname)) return fallback
  return pathname + search
}

/** Before the sign-in, rejects a return address that is too long, instead of dropping it during the sign-in. */
export function carriedReturnTo(wanted: string | undefined, fallback: string = DEFAULT_RETURN_TO): string {
  if (wanted === undefined || wanted.length <= RETURN_TO_CHARS_MAX) return localReturnTo(wanted, fallback)
  throw new ApiError('invalid_request', {
    public: 'The link that brought you here is too long: after signing in, we could not take you back to it.',
    remediation:
      'Go back to where you came from and start again. If the error stays, tell the people who sent you here.',
  })
}

const SANDBOX_INSTALL = /^\/apps\/pk_test_/

/** `test` if the app that sent the person here belongs to the test world; the page then shows the sandbox's band. */
export function worldOfReturnTo(returnTo: string): World | null {
  const url = URL.parse(returnTo, HERE)
  if (url === null) return null
  const sandbox = SANDBOX_INSTALL.test(url.pathname) || url.searchParams.get('client_id')?.startsWith('pk_test_')
  return sandbox === true ? 'test' : null
}

const INSTALL = /^\/apps\/([^/]+)\/install$/

/** The client id in the return address: the app for which the person signs in. Null if the address has no client id, or several. */
export function clientIdIn(returnTo: string): string | null {
  const url = URL.parse(returnTo, HERE)
  if (url === null) return null
  if (url.pathname !== '/oauth/authorize') return INSTALL.exec(url.pathname)?.[1] ?? null
  const [clientId = null, ...others] = url.searchParams.getAll('client_id')
  return others.length === 0 ? clientId : null
}

/** The email address of the person whom the app expects, if it named one (OpenID Connect Core, 3.1.2.1: `login_hint`). */
export function loginHintIn(returnTo: string): string | null {
  const url = URL.parse(returnTo, HERE)
  return url?.pathname === '/oauth/authorize' ? url.searchParams.get('login_hint') : null
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])
/** RFC 8252, 7.1: a reversed domain name. No other private scheme is valid in a redirect URI. */
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9][a-z0-9+-]*)+:$/

/** For an install link: the form may lead to the app's setup page, at any address, because this module does not read the app. */
const ANY_SETUP_URL = formTargets('http://localhost/')
/** For a link to the authorize endpoint without a redirect URI: we do not know the app's URI here, but most apps use https. */
const REGISTERED = formTargets('https://registered.invalid/')

/**
 * The other sites to which the sign-in form may lead, for the page's Content-Security-Policy. Chromium applies that policy to every
 * redirect after the form: to the app's authorize request, and from there to the app if the request is rejected. Here the redirect
 * URI in the link only has to look like a redirect URI; the authorize endpoint checks whether the app has registered it.
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

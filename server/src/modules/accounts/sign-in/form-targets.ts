import { formTargets } from '#http/pages/return-place.ts'

const HERE = 'http://here.invalid'
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])
/** RFC 8252, 7.1: a domain name turned round. No other scheme is anybody's redirect URI. */
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9][a-z0-9+-]*)+:$/

/** Wherever an app that is being installed has its setup page, which only the next page knows. */
const ANY_SETUP_URL = formTargets('http://localhost/')
/** Where a key has only one redirect URI, it may be left out; not on loopback. */
const REGISTERED = formTargets('https://registered.invalid/')

/**
 * Where the sign-in form may lead, beyond us. Chromium holds the policy of the page against every redirect that follows
 * its form: after signing in, to the app's request, and from there to the app itself if the request has to be refused.
 * Whether the app is to be trusted with anybody is judged there; what the link says of it is taken for granted here only
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

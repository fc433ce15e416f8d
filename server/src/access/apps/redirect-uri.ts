import { type FieldError, validationError } from '#kernel/errors.ts'

export const REDIRECT_URIS_MAX = 20
export const REDIRECT_URI_CHARS_MAX = 2_000

/** The characters of a URI (RFC 3986), with a percent sign only before two hex digits. No `*`, because we support no wildcards. */
const URI = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()+,;=]|%[0-9A-Fa-f]{2})+$/
const WEB = /^(?<scheme>https?):\/\/(?<authority>[^/?#]*)(?<path>[^?#]*)/
const AUTHORITY = /^(?<host>\[[^\]@]+\]|[^:@[\]]+)(?::(?<port>[1-9]\d{0,4}))?$/
/** "com.example.app": a reversed domain name, so that no app receives the responses for another app. */
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9][a-z0-9+-]*)+:(?=\/)/
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

type Problem = Pick<FieldError, 'code' | 'message'>

/**
 * Why a key may not register this redirect URI; null if it may. "The redirection endpoint URI MUST be an absolute URI … MUST NOT
 * include a fragment component" (RFC 6749, 3.1.2). https is allowed anywhere, http only on loopback (RFC 8252, 7.3), and a
 * private-use scheme if it is "based on a domain name under their control, expressed in reverse order" (RFC 8252, 7.1). The URI
 * must be in its normal form, without a default port or a dot after the host, because we compare it as text and a browser
 * normalizes it.
 */
export function redirectUriProblem(uri: string): Problem | null {
  if (uri.length > REDIRECT_URI_CHARS_MAX) {
    return { code: 'too_long', message: `must have at most ${REDIRECT_URI_CHARS_MAX} characters` }
  }
  if (!URI.test(uri)) return invalid('must be a URI in plain ASCII, without wildcards')
  if (uri.includes('#')) return invalid('must not have a fragment')
  if (!URL.canParse(uri)) return invalid('must be an absolute URI')
  const ours = parameterOfOurs(uri)
  if (ours !== null) return invalid(`must not have the parameter ${ours}, which our response adds`)
  if (/^https?:/i.test(uri)) return webProblem(uri)
  if (!PRIVATE_USE.test(uri)) {
    return invalid('must begin with https://, http:// on loopback, or a private-use scheme such as com.example.app:/')
  }
  return /^[^:]+:\/\/[^/?]*@/.test(uri) ? invalid(NO_USER) : null
}

/**
 * The parameters that our response adds to the query. "Request and response parameters MUST NOT be included more than once" (RFC 6749,
 * 3.1): if there were two codes, a client might read the one in its own URI.
 */
const ANSWERED = ['code', 'state', 'iss', 'error', 'error_description']

function parameterOfOurs(uri: string): string | null {
  const names = new URLSearchParams(uri.split('?').slice(1).join('?'))
  return ANSWERED.find((name) => names.has(name)) ?? null
}

const DEFAULT_PORT: Readonly<Record<string, string>> = { https: '443', http: '80' }

const NO_USER = 'must not name a user or password'

function webProblem(uri: string): Problem | null {
  const { scheme = '', authority = '', path = '' } = WEB.exec(uri)?.groups ?? {}
  if (scheme === '') return invalid('must begin with https:// or http://, in lower case')
  if (authority.includes('@')) return invalid(NO_USER)
  const { host = '', port } = AUTHORITY.exec(authority)?.groups ?? {}
  const { hostname, pathname } = new URL(uri)
  if (host !== hostname || host.endsWith('.')) {
    return invalid('must name its host in the plain form, such as app.example.com')
  }
  if (port === DEFAULT_PORT[scheme]) return invalid(`must not name port ${port}, the default of ${scheme}`)
  if (scheme === 'http' && !LOOPBACK_HOSTS.has(host)) return invalid('must begin with https:// unless it is loopback')
  return pathname === path || path === '' ? null : invalid('must not have . or .. in its path')
}

function invalid(message: string): Problem {
  return { code: 'invalid_format', message }
}

export function rejectRedirectUris(uris: readonly string[]): void {
  if (uris.length > REDIRECT_URIS_MAX) {
    throw validationError([
      { field: 'redirect_uris', code: 'too_long', message: `must have at most ${REDIRECT_URIS_MAX} items` },
    ])
  }
  const problems = uris.flatMap((uri, at) => {
    const twice: Problem = { code: 'duplicate', message: 'is there already' }
    const problem = uris.indexOf(uri) < at ? twice : redirectUriProblem(uri)
    return problem === null ? [] : [{ field: `redirect_uris[${at}]`, ...problem }]
  })
  if (problems.length > 0) throw validationError(problems)
}

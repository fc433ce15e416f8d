import { ApiError } from '#kernel/errors.ts'
import type { Edge } from '../edge.ts'
import { type Exchange, headerOf } from '../exchange.ts'
import { parseQueryText } from '../input/query-text.ts'
import { readCookie } from './cookie.ts'
import { isCsrfToken } from './csrf.ts'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const WEB: ReadonlySet<string> = new Set(['http:', 'https:'])
const CSRF_FIELD = 'csrf'
const CSRF_HEADER = 'X-Portico-Csrf'

export function changesNothing({ method }: Exchange): boolean {
  return SAFE_METHODS.has(method)
}

/**
 * Refuses what another site made the browser send, before anything of it is read. Browsers name the page's origin on
 * every such request, and the newer ones also say how it relates to us; what names neither is left to the form's token.
 */
export function requireOwnOrigin({ settings, hostOf }: Edge, exchange: Exchange): void {
  if (changesNothing(exchange)) return
  const { origin } = exchange.request.headers
  const site = headerOf(exchange, 'sec-fetch-site')
  const foreign = site !== undefined && site !== 'same-origin' && site !== 'none'
  if (foreign || (origin !== undefined && !isOwn(origin, hostOf(exchange.request, exchange.target), settings))) {
    throw refusal('This request was sent by a page of another site, and nothing was done.', 'origin')
  }
}

/** The public address where one is set, else the address that the browser reached us under. */
function isOwn(origin: string, host: string, { https, publicOrigin }: Edge['settings']): boolean {
  const url = URL.parse(origin)
  if (url === null || !WEB.has(url.protocol) || host === '') return false
  if (publicOrigin !== null) return url.origin === URL.parse(publicOrigin)?.origin
  return url.host === host.toLowerCase() && (url.protocol === 'https:' || !https)
}

/** The body without the token that came with it, once the token has been found to be this browser's. */
export function requireOwnForm({ ports, settings }: Edge, exchange: Exchange): unknown {
  if (changesNothing(exchange)) return exchange.body
  const cookieValue = readCookie(settings, exchange.request.headers.cookie)
  const { token, body } = takeToken(exchange)
  const known = ports.csrfKeys !== undefined && cookieValue !== null && token !== undefined
  if (known && isCsrfToken(ports.csrfKeys, cookieValue, token)) return body
  throw refusal('This form is not, or no longer, valid in this browser, and nothing was done.', 'csrf')
}

type Taken = { readonly token: string | undefined; readonly body: unknown }

function takeToken(exchange: Exchange): Taken {
  const inHeader = headerOf(exchange, CSRF_HEADER)
  const { body } = exchange
  if (inHeader !== undefined) return { token: inHeader, body }
  if (typeof body === 'string') return { token: parseQueryText(body).values.get(CSRF_FIELD)?.[0], body }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { token: undefined, body }
  const { [CSRF_FIELD]: token, ...rest } = body as Readonly<Record<string, unknown>>
  return { token: typeof token === 'string' ? token : undefined, body: rest }
}

function refusal(message: string, internal: string): ApiError {
  return new ApiError('forbidden', {
    public: message,
    remediation: 'Go back, load the page again and send its form from there.',
    internal,
  })
}

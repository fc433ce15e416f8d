import { ApiError } from '#kernel/errors.ts'
import { trusts } from '../client-address.ts'
import type { Edge, ServedRoute } from '../edge.ts'
import { type Exchange, headerOf } from '../exchange.ts'
import { parseQueryText } from '../input/read-query.ts'
import { allowsAnyOrigin } from '../security-headers.ts'
import { isCsrfToken, readCookie } from './cookies.ts'
import { CONFIRM_PATH, openForm, SEALED_FORM_FIELD } from './return-to.ts'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const WEB: ReadonlySet<string> = new Set(['http:', 'https:'])
const CSRF_FIELD = 'csrf'
const CSRF_HEADER = 'X-Portico-Csrf'

export function changesNothing({ method }: Exchange): boolean {
  return SAFE_METHODS.has(method)
}

/**
 * Rejects a changing request that a page of another site made the browser send, before the body is read. Browsers send the
 * page's origin with every such request, and newer browsers also send Sec-Fetch-Site. A request with neither header passes this
 * check; the CSRF token is checked later.
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

/** Compares with the public address if it is set, otherwise with the host that the browser requested. */
function isOwn(origin: string, host: string, { https, publicOrigin }: Edge['settings']): boolean {
  const url = URL.parse(origin)
  if (url === null || !WEB.has(url.protocol) || host === '') return false
  if (publicOrigin !== null) return url.origin === URL.parse(publicOrigin)?.origin
  return url.host === host.toLowerCase() && (url.protocol === 'https:' || !https)
}

/**
 * Checks that the CSRF token belongs to this browser, and returns the body without the token. If the body contains a sealed
 * form, returns the fields of that form instead. A command line needs no token, because it sends no cookie that another site
 * could use.
 */
export function requireOwnForm({ ports, settings }: Edge, exchange: Exchange): unknown {
  if (changesNothing(exchange) || exchange.isCommandLine) return exchange.body
  const cookieValue = readCookie(settings, exchange.request.headers.cookie)
  const { token, body } = takeToken(exchange)
  const hasToken = ports.csrfKeys !== undefined && cookieValue !== null && token !== undefined
  if (hasToken && isCsrfToken(ports.csrfKeys, cookieValue, token)) {
    const { path } = exchange.target
    const sealed = path === CONFIRM_PATH ? undefined : keptFormIn(body)
    const fields = sealed === undefined ? undefined : openForm(ports, { cookieValue, path }, sealed)
    if (fields !== null) return fields ?? body
  }
  throw refusal('This form is too old, or belongs to another browser. Nothing was changed.', 'csrf')
}

/**
 * The sealed form in the body, if there is one. The confirmation pages contain it while its sender confirms their identity, and
 * post it afterwards. `requireOwnForm` opens it, and its fields replace the body.
 */
function keptFormIn(body: unknown): string | undefined {
  const sealed = typeof body === 'object' && body !== null ? Reflect.get(body, SEALED_FORM_FIELD) : undefined
  return typeof sealed === 'string' ? sealed : undefined
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

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Load balancers and supervisors call these paths by IP address. The paths show no customer data and change nothing. */
const BY_ANY_NAME: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

export const acceptsAnyHost = (path: string) => BY_ANY_NAME.has(path)

/**
 * Rejects a request for a host name that is not ours. Otherwise another site could point its own name at our address (DNS
 * rebinding), and its pages could read our responses as those of its own origin.
 */
export function requireOwnHost({ settings, hostOf }: Edge, exchange: Exchange): void {
  const { ownHosts } = settings
  if (ownHosts === 'any' || acceptsAnyHost(exchange.target.path)) return
  const host = hostOf(exchange.request, exchange.target)
  if (ownHosts === 'loopback' ? isLoopback(host) : isPublic(host, ownHosts.publicOrigin)) return
  throw new ApiError('misdirected_request', {
    public: 'This service does not answer under the host name of this request.',
    remediation:
      ownHosts === 'loopback'
        ? 'Use localhost, 127.0.0.1 or [::1], or set PORTICO_BASE_URL to the address of the service.'
        : 'Use the public address of the service. A proxy in front of it must forward the host.',
    internal: 'host',
  })
}

/** Any port is accepted, because a forwarded port has another number than ours. */
function isLoopback(host: string): boolean {
  return LOOPBACK.has(URL.parse(`http://${host}`)?.hostname ?? '')
}

/** Headers that a proxy adds. They matter because a proxy on this machine may forward requests from anywhere. */
const FORWARDED = [
  ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port'],
  ...['x-forwarded-server', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'x-original-host', 'x-request-start'],
  ...['cf-connecting-ip', 'cf-ray', 'cdn-loop', 'x-envoy-external-address', 'x-amzn-trace-id', 'x-cloud-trace-context'],
] as const
/**
 * Recognizes requests of browsers that nginx forwarded. By default nginx adds none of the headers above, but it sends
 * `Connection: close`, which no browser sends.
 */
const isForwardedByNginx = (header: Sent['header']) =>
  header('connection')?.toLowerCase() === 'close' && /^Mozilla\//.test(header('user-agent') ?? '')
const fromThisMachine = trusts(['loopback'])

type Sent = { readonly address: string; readonly header: (name: string) => string | undefined }

/**
 * Whether a program on this machine sent the request under a loopback name. Some information is only for the person at this
 * machine, so requests under a foreign name (DNS rebinding) or through a proxy do not count. A request through a proxy that adds
 * none of the headers above looks like one from a local browser. The operator of such a proxy must set PORTICO_BASE_URL. The
 * service then shows no demo.
 */
export function isLocalRequest(sent: Sent): boolean {
  return isSentHere(sent) && !isForwardedByNginx(sent.header)
}

function isSentHere({ address, header }: Sent): boolean {
  return (
    fromThisMachine(address) &&
    isLoopback(header('host') ?? '') &&
    FORWARDED.every((name) => header(name) === undefined)
  )
}

/**
 * Passkeys, cookies and the OAuth issuer belong to one host name. So a browser that opens a page under an IP address of this
 * machine is redirected to the same page under `localhost`. The redirect contains the port of the request, because a forwarded
 * port differs from ours. Null in all other cases, because the API responds under every name of this machine.
 */
export function addressOfPage({ settings, addressOf }: Edge, { request, target, method }: Exchange): string | null {
  if (!settings.pagesAtLocalhost() || method !== 'GET' || target.host !== null) return null
  const { headers, url = '' } = request
  if (headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document') return null
  const header = (name: string) => headers[name]?.toString()
  const at = URL.parse(`http://${headers.host ?? ''}`)
  if (at === null || at.hostname === 'localhost' || !url.startsWith('/')) return null
  if (!isSentHere({ address: addressOf(request), header })) return null
  return `http://localhost${at.port === '' ? '' : `:${at.port}`}${url}`
}

function isPublic(host: string, publicOrigin: string): boolean {
  const own = new URL(publicOrigin)
  const sent = URL.parse(`${own.protocol}//${host}`)
  // Both hosts are parsed with our scheme, so that a host with the scheme's default port equals the host without a port.
  return sent !== null && sent.username === '' && sent.pathname === '/' && sent.host === own.host
}

/**
 * Rejects a changing request that a page of another site made a browser send. Routes of pages have their own check, with the CSRF
 * token. Routes for every origin need no check, because they use no cookie, and reject HTTP Basic from a browser.
 */
export function requireOwnSite(edge: Edge, { route }: ServedRoute, exchange: Exchange): void {
  if (route.access.kind === 'token' && !allowsAnyOrigin(route)) requireOwnOrigin(edge, exchange)
  const { authorization, origin } = exchange.request.headers
  if (route.cors === 'any' && origin !== undefined && authorization?.slice(0, 6).toLowerCase() === 'basic ') {
    throw new ApiError('forbidden', {
      public: 'HTTP Basic is not accepted from a page: a client secret must not be in a browser.',
      remediation: 'Call this endpoint from your server, or use a public key with PKCE in the browser.',
      internal: 'Basic with Origin',
    })
  }
}

import { ApiError } from '#kernel/errors.ts'
import { requireOwnOrigin } from './browser/own-form.ts'
import { allowsAnyOrigin } from './cors.ts'
import type { Edge, ServedRoute } from './edge.ts'
import type { Exchange } from './exchange.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Load balancers and supervisors ask for these by address. They show nothing of a caller and change nothing. */
const BY_ANY_NAME: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

export const answersAnyHost = (path: string) => BY_ANY_NAME.has(path)

/**
 * Rejects a request that was sent to another name than ours. Otherwise a page elsewhere could point its own name at our address
 * (DNS rebinding) and read everything that it then gets from its own origin.
 */
export function requireOwnHost({ settings, hostOf }: Edge, exchange: Exchange): void {
  const { ownHosts } = settings
  if (ownHosts === 'any' || answersAnyHost(exchange.target.path)) return
  const host = hostOf(exchange.request, exchange.target)
  if (ownHosts === 'loopback' ? isLoopback(host) : isPublic(host, ownHosts.publicOrigin)) return
  throw new ApiError('misdirected_request', {
    public: 'This service does not answer under the host name of this request.',
    remediation:
      ownHosts === 'loopback'
        ? 'Use localhost, 127.0.0.1 or [::1], or set PORTICO_BASE_URL to the address of the service.'
        : 'Use the public address of the service. A proxy in front of it must pass the host on.',
    internal: 'host',
  })
}

/** Any port: what forwards one of this machine to us has another. */
function isLoopback(host: string): boolean {
  return LOOPBACK.has(URL.parse(`http://${host}`)?.hostname ?? '')
}

function isPublic(host: string, publicOrigin: string): boolean {
  const own = new URL(publicOrigin)
  const sent = URL.parse(`${own.protocol}//${host}`)
  // Parsed with our scheme, so that the scheme's own port is the same as none.
  return sent !== null && sent.username === '' && sent.pathname === '/' && sent.host === own.host
}

/**
 * Rejects what a page of another site made a browser send, where it would change something. Pages have their own check, with
 * the form's token; routes that pages of every origin may call look at nothing that a browser adds by itself.
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

import type { Route } from './route.ts'
import type { BrandHeaders } from './security-headers.ts'

type Headers = Readonly<Record<string, string>>

const PREFLIGHT_SECONDS = 7_200

/**
 * Pages of any origin may call every bearer route of the partner API and every route with `cors: 'any'`, and read all
 * responses; never with cookies, so that a page can use only its own credential. `*` instead of the origin, so that a shared
 * cache cannot serve one site's header to another.
 */
export function corsHeaders(names: BrandHeaders) {
  const exposed = [
    'X-Request-Id',
    'X-Wf-Request-Id',
    names.version,
    names.versionLatest,
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'Idempotent-Replayed',
    'ETag',
  ]
  const readable: Headers = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposed.join(', '),
  }
  const allowed: Readonly<Record<BrowserAccess['how'], string>> = {
    bearer: `Authorization, Content-Type, ${names.version}, Idempotency-Key, If-None-Match, Last-Event-ID`,
    // No Authorization: these routes accept no bearer token, and a page must not have a client secret for HTTP Basic.
    open: `Content-Type, ${names.version}, If-None-Match`,
  }
  return {
    readable,
    preflight: ({ how, methods }: BrowserAccess): Headers => ({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': allowed[how],
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    }),
  }
}

/** How pages of other origins may use a path. */
export type BrowserAccess = { readonly how: 'bearer' | 'open'; readonly methods: readonly string[] }

/** Routes for the host platform's servers and for our portal are not part of the partner API. */
const NOT_FOR_PARTNERS = ['/platform/', '/portal/'] as const

/** "Every bearer route of the partner API (not /platform, not /portal/api, not pages)" */
export function allowsAnyOrigin({ access, path }: Pick<Route, 'access' | 'path'>): boolean {
  if (access.kind !== 'token' || NOT_FOR_PARTNERS.some((start) => path.startsWith(start))) return false
  // A route that accepts only operator keys is not for partners, whatever its path.
  return access.holders.some((holder) => holder !== 'operator')
}

export function browserAccess(routes: readonly Route[]): BrowserAccess | null {
  const open = routes.filter(({ cors }) => cors === 'any')
  if (open.length > 0) return { how: 'open', methods: open.map(({ method }) => method) }
  const bearer = routes.filter(allowsAnyOrigin)
  return bearer.length === 0 ? null : { how: 'bearer', methods: bearer.map(({ method }) => method) }
}

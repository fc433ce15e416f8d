import type { Route } from './route.ts'

/** The policy of data responses. A browser that shows such a response needs to load nothing. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

type PolicyParts = {
  /** Origins (or schemes) other than ours that a form of the page may lead to, also by a redirect. */
  readonly formAction?: readonly string[]
  /** Origins that may show the page in a frame: only for pages that change nothing. None by default. */
  readonly frameAncestors?: readonly string[]
  /** Origins that the page itself may show in a frame. None by default. */
  readonly frames?: readonly string[]
  /**
   * Whether the page runs scripts of this origin. They are needed for passkeys and for copying, which browsers offer only to
   * scripts, and for the search of the changelog.
   */
  readonly scripts?: boolean
}

/**
 * Pages for people run no scripts: `default-src 'none'` covers scripts and connections. Exceptions are pages with passkeys, pages that
 * show a secret, and the changelog. Styles, fonts and images come only from this origin. Only a site that the page's policy allows may
 * show the page in a frame. The reference at /docs and the portal have their own policies.
 */
export function pagePolicy({
  formAction = [],
  frameAncestors = ["'none'"],
  frames = [],
  scripts = false,
}: PolicyParts = {}): string {
  return [
    "default-src 'none'",
    ...(scripts ? ["script-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ...(frames.length === 0 ? [] : [['frame-src', ...frames].join(' ')]),
    ["form-action 'self'", ...formAction].join(' '),
    "base-uri 'none'",
    ['frame-ancestors', ...frameAncestors].join(' '),
  ].join('; ')
}

const TWO_YEARS_SECONDS = 63_072_000

/** Sent with every response. `no-store` is the default because most responses belong to one caller; a route may change it. */
export function securityHeaders({ https }: { readonly https: boolean }): Readonly<Record<string, string>> {
  return {
    'content-security-policy': DATA_POLICY,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(https ? { 'strict-transport-security': `max-age=${TWO_YEARS_SECONDS}; includeSubDomains` } : {}),
  }
}

/**
 * There is no Cross-Origin-Opener-Policy. Apps open the consent page in a new window and wait until this window returns
 * to the app, and the header would prevent the return. The consent page runs no script, so the app's window can only
 * navigate the new window.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': pagePolicy(),
  // With `no-referrer` browsers would send forms with the origin `null`, and our own forms could not be recognized.
  'referrer-policy': 'same-origin',
}

/** Header names with the brand: `wefunder` gives `Wefunder-Version`. */
export type BrandHeaders = { readonly version: string; readonly versionLatest: string }

export function brandHeaders(brand: string): BrandHeaders {
  if (!/^[a-z][a-z0-9]*$/.test(brand)) throw new Error(`a brand is lower-case letters and digits: ${brand}`)
  const name = brand.charAt(0).toUpperCase() + brand.slice(1)
  return { version: `${name}-Version`, versionLatest: `${name}-Version-Latest` }
}

type Headers = Readonly<Record<string, string>>

const PREFLIGHT_SECONDS = 7_200

/**
 * Pages of any origin may call every bearer route of the partner API and every route with `cors: 'any'`, and read all responses;
 * never with cookies, so that a page can use only its own credential. Access-Control-Allow-Origin is `*` and not the origin, so
 * that a shared cache cannot serve one site's header to another site.
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
    // Authorization is not allowed: these routes accept no bearer token, and a page must not have a client secret for HTTP Basic.
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

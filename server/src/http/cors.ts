import { servesBrowsers } from './access.ts'
import type { BrandHeaders } from './brand-headers.ts'
import type { Route } from './route.ts'

type Headers = Readonly<Record<string, string>>

const PREFLIGHT_SECONDS = 7_200

/**
 * Browsers of any origin may read what a publishable key opens, never with another credential, and what a route opens
 * to them by itself (`cors: 'any'`); nothing else, and never with cookies. `*` instead of the origin, so that a shared
 * cache cannot answer one site with another's header.
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
    'ETag',
  ]
  const readable: Headers = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposed.join(', '),
  }
  const allowed: Readonly<Record<BrowserAccess['how'], string>> = {
    publishable_key: `Authorization, ${names.version}, If-None-Match`,
    any: `Content-Type, Authorization, ${names.version}`,
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

/** How pages of other origins may use a path, if at all. */
export type BrowserAccess = { readonly how: 'publishable_key' | 'any'; readonly methods: readonly string[] }

export function browserAccess(routes: readonly Route[]): BrowserAccess | null {
  const open = routes.filter(({ cors }) => cors === 'any')
  if (open.length > 0) return { how: 'any', methods: open.map(({ method }) => method) }
  const read = routes.some(({ access, method }) => method === 'GET' && servesBrowsers(access))
  return read ? { how: 'publishable_key', methods: ['GET'] } : null
}

import type { CallerKind } from '#kernel/caller.ts'
import { type Access, servesBrowsers } from './access.ts'
import type { BrandHeaders } from './brand-headers.ts'

type Headers = Readonly<Record<string, string>>

const PREFLIGHT_SECONDS = 7_200

/**
 * Browsers of any origin may read what a publishable key opens, and nothing else: never with cookies, never with
 * another credential. `*` instead of the origin, so that a shared cache cannot answer one site with another's header.
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
  const preflight: Headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET',
    'access-control-allow-headers': `Authorization, ${names.version}, If-None-Match`,
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  }
  return {
    preflight,
    /** `holder` is null while nobody is known: a browser must be able to read why its key was refused. */
    answer: (access: Access, holder: CallerKind | null): Headers =>
      servesBrowsers(access) && (holder === null || holder === 'publishable') ? readable : {},
  }
}

import { servesBrowsers } from '#http/access.ts'
import { isOpenDocument } from '#http/open-document.ts'
import type { Route } from '#http/route.ts'
import { REMOVED_TAG } from '#modules/removed/http.ts'
import type { LimitName } from './limit-table.ts'

/** What a request on a route counts on, by its address and by what it sent as a bearer. */
export type RouteLimits = {
  readonly address: readonly LimitName[]
  readonly token: LimitName | null
  readonly publishableKey: LimitName | null
  /** Of the endpoint that its path names. */
  readonly webhookTest: LimitName | null
  /** Whether a bearer is looked up, which is what guesses cost. */
  readonly looksUp: boolean
}

const NONE: RouteLimits = { address: [], token: null, publishableKey: null, webhookTest: null, looksUp: false }

/** "The public-catalogue limit covers exactly the three routes the specification names." */
const PUBLIC_CATALOG: ReadonlySet<string> = new Set(['GET /explore', 'GET /offerings/:id', 'GET /companies/search'])

const WEBHOOK_TEST = 'POST /webhook_endpoints/:id/test'

const OUTSIDE = ['/platform/', '/sandbox/'] as const

/**
 * "/platform, /sandbox, people's pages and health are outside these limits." Documents and pictures, which are open to
 * everybody, are no API endpoints and have a limit of their own. Of what is open, OAuth's own endpoints count and those that were removed, by their address. "A publishable key
 * counts against its own limit and the address limits, not the per-token one", and against its own on public reads.
 */
export function limitsOf(route: Route): RouteLimits {
  const { access, method, path } = route
  const name = `${method} ${path}`
  if (access.kind === 'session') return NONE
  if (access.kind === 'open') return { ...NONE, address: limitsOfOpen(route) }
  if (OUTSIDE.some((start) => path.startsWith(start))) return { ...NONE, looksUp: true }
  return {
    address: PUBLIC_CATALOG.has(name) ? ['address', 'public_catalog'] : ['address'],
    token: 'access_token',
    publishableKey: servesBrowsers(access) ? 'publishable_key' : null,
    webhookTest: name === WEBHOOK_TEST ? 'webhook_test' : null,
    looksUp: true,
  }
}

function limitsOfOpen(route: Route): readonly LimitName[] {
  if (route.tag === REMOVED_TAG) return ['address']
  const own: readonly LimitName[] = isOpenDocument(route) ? ['document'] : []
  if (route.errorsAs !== 'oauth') return own
  return ['address', ...(route.path === '/oauth/token' ? (['token_address'] as const) : own)]
}

import { describe, expect, test } from 'vitest'
import { REMOVED_TAG } from '#access/removed/http.ts'
import type { Route } from '#http/route.ts'
import { describedRoutes } from '#main/generated-documents.ts'
import { limitsOf } from './request-limits.ts'

const ROUTES = describedRoutes()
const named = ({ method, path }: Route) => `${method} ${path}`
const those = (wanted: (route: Route) => boolean) => ROUTES.filter(wanted).map(named)

describe('the limits of the routes', () => {
  test('exactly the three routes that the specification names have the limit of the public catalogue', () => {
    expect(those((route) => limitsOf(route).address.includes('public_catalog'))).toEqual([
      'GET /explore',
      'GET /offerings/:id',
      'GET /companies/search',
    ])
  })

  test('only the token endpoint has the limit token_address', () => {
    expect(those((route) => limitsOf(route).address.includes('token_address'))).toEqual(['POST /oauth/token'])
  })

  test('/platform, /sandbox, people’s pages and their forms, health, documents and pictures have no API limit by address', () => {
    const outside = those((route) => limitsOf(route).address.length === 0)
    expect(outside.filter((name) => !OUTSIDE.test(name))).toEqual([])
    const counted = (route: Route) => limitsOf(route).address.some((name) => name !== 'document')
    expect(those((route) => OUTSIDE.test(named(route)) && counted(route))).toEqual([])
  })

  test('GET routes that need no credential have the limit of documents, except health, metrics and removed endpoints', () => {
    const isRead = ({ access, method, tag }: Route) => access.kind === 'open' && method === 'GET' && tag !== REMOVED_TAG
    const read = those(isRead).filter((name) => !/^GET \/(healthz|readyz|metrics)$/.test(name))
    expect(those((route) => limitsOf(route).address.includes('document'))).toEqual(read)
    for (const path of ['/docs', '/openapi.json', '/docs/changelog', '/.well-known/oauth-authorization-server']) {
      expect(read).toContain(`GET ${path}`)
    }
  })

  test('all endpoints of the API have a limit by address, and endpoints that accept a token also have a limit by token', () => {
    for (const route of ROUTES.filter((each) => !OUTSIDE.test(named(each)))) {
      const { address, token } = limitsOf(route)
      expect([named(route), address[0], token]).toEqual([
        named(route),
        'address',
        route.access.kind === 'token' ? 'access_token' : null,
      ])
    }
  })

  test('only public reads have the limit of publishable keys', () => {
    expect(those((route) => limitsOf(route).publishableKey !== null)).toEqual([
      'GET /explore',
      'GET /offerings/:id',
      'GET /companies/search',
      'GET /companies/:id',
      'GET /companies/:id/pitch',
      'GET /companies/:id/disclosures',
      'GET /companies/:id/updates',
      'GET /companies/:id/updates/:update_id',
      'GET /companies/:id/questions',
    ])
  })

  test('every route that looks up a bearer token counts unknown tokens as guesses, also under /platform and /sandbox', () => {
    expect(those((route) => limitsOf(route).looksUp !== (route.access.kind === 'token'))).toEqual([])
  })
})

/** The beginnings of the paths that are not endpoints of the API, copied from the specification and the route table. */
const OUTSIDE =
  /^\w+ \/($|(platform|sandbox|portal|developers|console|settings|apps|sign-in|sign-out|sign-up|forgot-password|confirm-email|command-line|invitations|syndicate-invitations|status(\.json)?|demo|favicon\.\w+|c|assets|docs(\.md)?|conditions|healthz|readyz|metrics|openapi\.(json|yaml)|llms(-full)?\.txt|oauth\/authorize|join|invest|i|intents\/:intent_id\/review)(\/|$))/

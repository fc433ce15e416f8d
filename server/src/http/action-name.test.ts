import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { type Access, heldBy, inSandbox, open, operator, publicRead, signedIn, user } from './access.ts'
import { actionOf } from './record-action.ts'
import { type Method, type Route, route } from './route.ts'

type Made = { readonly access?: Access; readonly action?: string; readonly status?: number }

function made(method: Method, path: string, { access = user('write:things'), action, status = 200 }: Made = {}): Route {
  return route({
    ...{ operation: 'probe', summary: 'Probe', tag: 'probe', method, path, access },
    ...(action === undefined ? {} : { action }),
    schema: { response: { [status]: Type.Null() } },
    handler: async () => ({ status, body: null }),
  })
}

describe('a route that changes something for a user', () => {
  test('has its declared name', () => {
    expect(actionOf(made('PUT', '/users/me/follows/:id', { action: 'follows.create' }))).toBe('follows.create')
  })

  test.each([
    ['POST', '/installations', 201, 'installations.create'],
    ['POST', '/installations/:id/tokens', 201, 'installations.tokens.create'],
    ['POST', '/webhook_endpoints/:id/rotate_secret', 200, 'webhook_endpoints.rotate_secret'],
    ['POST', '/things/:id', 200, 'things.create'],
    ['PATCH', '/syndicates/:id/members/:mem', 200, 'syndicates.members.update'],
    ['PUT', '/users/me/follows/:company_id', 200, 'follows.set'],
    ['DELETE', '/connected-apps/:id', 200, 'connected_apps.delete'],
  ] as const)(
    'without a declared name has a name from its method and path: %s %s (%i) is %s',
    (method, path, status, name) => {
      expect(actionOf(made(method, path, { status }))).toBe(name)
    },
  )

  test.each(['follow', 'Follows.Create', 'follows.', 'a b.c', `a.${'b'.repeat(100)}`])(
    'cannot be named %j',
    (action) => {
      expect(() => actionOf(made('POST', '/things', { action }))).toThrow('has an invalid action name')
    },
  )
})

describe('the names in the activity', () => {
  test.each([
    ['a route that reads', made('GET', '/things')],
    ['a route for people', made('POST', '/things', { access: signedIn() })],
    ['a route without a credential', made('POST', '/things', { access: open('a probe') })],
    ['a route of the host platform', made('POST', '/things', { access: operator('viewer', 'platform') })],
    [
      'a route of the sandbox, which acts as the platform',
      made('POST', '/things', { access: inSandbox(heldBy(['user'])) }),
    ],
  ])('%s has no name', (_what, made) => {
    expect(actionOf(made)).toBeNull()
  })

  test('a route that changes something has a name even if publishable keys may call it', () => {
    expect(actionOf(made('POST', '/things', { access: publicRead() }))).toBe('things.create')
  })
})

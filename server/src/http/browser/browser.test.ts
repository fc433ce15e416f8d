import { Type } from 'typebox'
import { afterEach, describe, expect, test } from 'vitest'
import type { AccountCaller } from '#kernel/caller.ts'
import { newId } from '#kernel/ids.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { open, signedIn, user, visitor } from '../access.ts'
import type { HttpSettings } from '../edge.ts'
import type { LimitPort, Ports } from '../ports.ts'
import { type Route, route } from '../route.ts'
import { testBrowser } from '../testing/browser.ts'
import { countedAs } from '../testing/counted.ts'
import { readError } from '../testing/error-response.ts'
import { type ProbeApp, serveProbes } from '../testing/probe-app.ts'
import { Ok, probe, respondsOk } from '../testing/probe-route.ts'
import { localAddress } from './return-to.ts'

const SIGNED_IN = 'x'.repeat(43)
const ADA: AccountCaller = {
  kind: 'account',
  accountId: newId('account'),
  name: 'Ada',
  email: 'ada@example.com',
  sessionHash: Buffer.alloc(32),
  provenSecondsAgo: 0,
}

const html = { contentType: 'text/html; charset=utf-8', errorsAs: 'page', alias: false } as const
const form = { accepts: ['application/x-www-form-urlencoded'] } as const
const Note = Type.Object({ note: Type.Optional(Type.String()) })

/** All notes that handlers got. */
let notes: unknown[] = []

const ROUTES: readonly Route[] = [
  route({
    ...probe,
    ...html,
    operation: 'readWelcome',
    method: 'GET',
    path: '/welcome',
    access: visitor('every caller may read this'),
    schema: { response: { 200: Type.String() } },
    handler: async ({ caller, browser }) => ({
      status: 200,
      body: `${caller?.name ?? 'nobody'}<input name="csrf" value="${browser.csrf}">`,
    }),
  }),
  route({
    ...probe,
    ...html,
    ...form,
    operation: 'signIn',
    method: 'POST',
    path: '/welcome',
    access: visitor('no person is signed in yet'),
    schema: { body: Note, response: { 303: Type.Null() } },
    handler: async ({ body, browser }) => {
      notes.push(body)
      return {
        status: 303,
        body: null,
        headers: { Location: '/home', 'Set-Cookie': [browser.setCookie(SIGNED_IN), 'other=1'] },
      }
    },
  }),
  route({
    ...probe,
    ...html,
    operation: 'readHome',
    method: 'GET',
    path: '/home',
    access: signedIn(),
    schema: { response: { 200: Type.String() } },
    handler: async ({ caller, browser }) => ({
      status: 200,
      body: `${caller.email}<input name="csrf" value="${browser.csrf}">`,
      headers: { 'Set-Cookie': 'other=1' },
    }),
  }),
  route({
    ...probe,
    ...html,
    ...form,
    operation: 'changeHome',
    method: 'POST',
    path: '/home',
    access: signedIn(),
    schema: { body: Note, response: { 200: Type.String() } },
    handler: async ({ caller, body }) => {
      notes.push(body)
      return { status: 200, body: caller.name }
    },
  }),
  route({
    ...probe,
    ...html,
    ...form,
    operation: 'dropThing',
    method: 'POST',
    path: '/things/:id/drop',
    access: signedIn(),
    schema: { params: Type.Object({ id: Type.String() }), response: { 200: Type.String() } },
    handler: async () => ({ status: 200, body: 'dropped' }),
  }),
  route({
    ...probe,
    ...form,
    operation: 'sendText',
    method: 'POST',
    path: '/text',
    alias: false,
    bodyAs: 'text',
    access: signedIn(),
    schema: { body: Type.Unknown(), response: { 200: Ok } },
    handler: async ({ body }) => {
      notes.push(body)
      return { status: 200, body: { ok: true } }
    },
  }),
  route({
    ...probe,
    operation: 'changeJson',
    method: 'PUT',
    path: '/json',
    alias: false,
    access: signedIn(),
    schema: { body: Note, response: { 200: Ok } },
    handler: async ({ body }) => {
      notes.push(body)
      return { status: 200, body: { ok: true } }
    },
  }),
  route({ ...probe, ...respondsOk, operation: 'token', method: 'GET', path: '/token', access: user('read:profile') }),
]

const running: ProbeApp[] = []
afterEach(async () => {
  notes = []
  await Promise.all(running.splice(0).map((edge) => edge.close()))
})

type Around = { readonly ports?: Partial<Ports>; readonly settings?: Partial<HttpSettings> }

async function serving({ ports, settings }: Around = {}): Promise<ProbeApp> {
  const signIns = { find: async (value: string) => (value === SIGNED_IN ? ADA : null) }
  const edge = await serveProbes(ROUTES, {
    ports: { signIns, csrfKeys: keyring('secret')('csrf'), ...ports },
    ...(settings === undefined ? {} : { settings }),
  })
  running.push(edge)
  return edge
}

/** A browser that has loaded the page with the form. */
async function ready(edge: ProbeApp, cookie?: string) {
  const browser = testBrowser(edge.url)
  if (cookie !== undefined) browser.cookies.set('portico', cookie)
  await browser.open('/welcome')
  return browser
}

describe('the signed-in person', () => {
  test('is passed to the handler; null without a sign-in', async () => {
    const edge = await serving()
    expect((await testBrowser(edge.url).open('/welcome')).text).toMatch(/^nobody/)
    expect((await (await ready(edge, SIGNED_IN)).open('/welcome')).text).toMatch(/^Ada/)
    expect((await (await ready(edge, SIGNED_IN)).open('/home')).text).toMatch(/^ada@example.com/)
  })

  test('is identified only by the cookie: pages accept no token, and the API accepts no cookie', async () => {
    const edge = await serving()
    const bearer = { authorization: 'Bearer at_test_user' }
    expect((await testBrowser(edge.url).open('/home', bearer)).status).toBe(303)
    expect(edge.lookups).toEqual([])
    expect((await (await ready(edge, SIGNED_IN)).open('/token')).status).toBe(401)
  })

  test.each(['short', 'has space'.padEnd(40, 'x'), 'x'.repeat(129), `${SIGNED_IN}=`])(
    'is not looked up if the cookie is malformed: %s',
    async (value) => {
      const lookedUp: string[] = []
      const find = async (cookie: string) => {
        lookedUp.push(cookie)
        return ADA
      }
      const edge = await serving({ ports: { signIns: { find } } })
      const response = await fetch(`${edge.url}/welcome`, { headers: { cookie: `portico=${value}; porticox=1` } })
      expect(await response.text()).toMatch(/^nobody/)
      expect(lookedUp).toEqual([])
    },
  )

  test('is not named in the log', async () => {
    const edge = await serving()
    await (await ready(edge, SIGNED_IN)).open('/home')
    await expect.poll(() => edge.logLines.length).toBe(2)
    const log = edge.logLines.join('')
    expect(log).toContain('"caller":"account"')
    expect(log).not.toMatch(/ada|xxxx/i)
  })

  test('is counted by the limits under the address, without a credential', async () => {
    const seen: unknown[] = []
    const limit: LimitPort = {
      of: (route) => (sent) => {
        seen.push([route.operation, sent])
        return countedAs(sent)
      },
    }
    const edge = await serving({ ports: { limit } })
    await (await ready(edge, SIGNED_IN)).open('/home')
    expect(seen.at(-1)).toEqual(['readHome', { address: '127.0.0.1', credential: null, params: {} }])
  })
})

describe('a caller that has not signed in', () => {
  test('is redirected to sign in, and then back to the same path and query', async () => {
    const edge = await serving()
    const { status, location, headers } = await testBrowser(edge.url).open(
      '/home?a=1&b=x%20y&redirect=https%3A%2F%2Fa.b',
    )
    expect([status, headers.get('cache-control')]).toEqual([303, 'no-store'])
    expect(location).toBe('/sign-in?return_to=%2Fhome%3Fa%3D1%26b%3Dx%2520y%26redirect%3Dhttps%253A%252F%252Fa.b')
    const back = new URL(location ?? '', edge.url).searchParams.get('return_to')
    expect(back).toBe('/home?a=1&b=x%20y&redirect=https%3A%2F%2Fa.b')
  })

  test('returns to a form’s address only if that address supports GET', async () => {
    const browser = await ready(await serving())
    expect((await browser.submit('/home?x=1', {})).location).toBe('/sign-in?return_to=%2Fhome%3Fx%3D1')
    expect((await browser.submit('/things/1/drop', {})).location).toBe('/sign-in')
  })

  test('gets 401 invalid_token on JSON routes', async () => {
    const edge = await serving()
    const error = await readError(await fetch(`${edge.url}/json`, { method: 'PUT' }))
    expect(error).toMatchObject({ type: 'invalid_token', remediation: 'Sign in at /sign-in' })
  })

  test('gets the same response to HEAD as to GET', async () => {
    const edge = await serving()
    const response = await fetch(`${edge.url}/home`, { method: 'HEAD', redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/sign-in?return_to=%2Fhome'])
  })

  test.each([
    ['/home?x=1#y', '/home?x=1#y'],
    ['//evil.example/x', null],
    ['/\\evil.example', null],
    ['/\t/evil.example', null],
    ['https://evil.example', null],
    ['', null],
    [undefined, null],
  ])('is never redirected to another site: %j returns to %j', (address, here) => {
    expect(localAddress(address)).toBe(here)
  })
})

describe('the cookie', () => {
  test('is set with the first page, is unreadable to scripts, and is not set again', async () => {
    const edge = await serving()
    const browser = testBrowser(edge.url)
    const first = await browser.open('/welcome')
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^portico=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect(first.headers.get('vary')).toBe('Cookie')
    expect((await browser.open('/welcome')).headers.getSetCookie()).toEqual([])
    expect([...browser.cookies.keys()]).toEqual(['portico'])
  })

  test('has the __Host- prefix if the public address is https', async () => {
    const edge = await serving({ settings: { https: true } })
    const { headers } = await testBrowser(edge.url).open('/welcome')
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-portico=[^;]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  })

  test('is not set again by the edge beside the cookies that a route sets', async () => {
    const edge = await serving()
    const browser = await ready(edge)
    const { headers } = await browser.submit('/welcome', {})
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(`^portico=${SIGNED_IN}; `), 'other=1'])
    browser.cookies.clear()
    browser.cookies.set('portico', SIGNED_IN)
    expect((await browser.open('/home')).headers.getSetCookie()).toEqual(['other=1'])
  })
})

describe('a form', () => {
  test('sent from our own page is accepted, and the handler does not see the CSRF token', async () => {
    const browser = await ready(await serving(), SIGNED_IN)
    expect(await browser.submit('/home', { note: 'hello' })).toMatchObject({ status: 200, text: 'Ada' })
    expect(notes).toEqual([{ note: 'hello' }])
  })

  test.each([
    ['the origin of another site', { origin: 'https://evil.example' }],
    ['the origin null', { origin: 'null' }],
    ['the same host on another port', { origin: 'http://127.0.0.1:1' }],
    ['a malformed origin', { origin: 'portico' }],
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
  ])('with %s is rejected, even with the right token', async (_, headers) => {
    const browser = await ready(await serving(), SIGNED_IN)
    const { status, text } = await browser.submit('/home', {}, headers)
    expect([status, notes]).toEqual([403, []])
    expect(text).toContain('sent by a page of another site')
  })

  test('sent without an origin still needs the token', async () => {
    const edge = await serving()
    const init = {
      method: 'POST',
      headers: { cookie: `portico=${SIGNED_IN}`, 'content-type': 'application/x-www-form-urlencoded' },
    }
    expect((await fetch(`${edge.url}/home`, { ...init, body: 'note=a' })).status).toBe(403)
    const seen = await (await fetch(`${edge.url}/welcome`, init.headers && { headers: init.headers })).text()
    const token = /value="([^"]+)"/.exec(seen)?.[1] ?? ''
    expect((await fetch(`${edge.url}/home`, { ...init, body: `csrf=${token}` })).status).toBe(200)
  })

  test.each(['', 'AAAA', 'x'.repeat(48), ['a', 'b']])('with the token %j is rejected', async (csrf) => {
    const browser = await ready(await serving(), SIGNED_IN)
    const { status, text } = await browser.submit('/home', { csrf })
    expect([status, notes]).toEqual([403, []])
    expect(text).toContain('load the page again')
  })

  test('with the token of another browser is rejected', async () => {
    const edge = await serving()
    const other = await testBrowser(edge.url).open('/welcome')
    const otherToken = /value="([^"]+)"/.exec(other.text)?.[1] ?? ''
    const browser = await ready(edge, SIGNED_IN)
    expect((await browser.submit('/home', { csrf: otherToken })).status).toBe(403)
    expect((await browser.submit('/home', {})).status).toBe(200)
  })

  test('before sign-in is protected too, against login CSRF', async () => {
    const edge = await serving()
    const attacker = await testBrowser(edge.url).open('/welcome')
    const otherToken = /value="([^"]+)"/.exec(attacker.text)?.[1] ?? ''
    const victim = testBrowser(edge.url)
    expect((await victim.submit('/welcome', { csrf: otherToken })).status).toBe(403)
    await victim.open('/welcome')
    expect((await victim.submit('/welcome', { csrf: otherToken })).status).toBe(403)
    expect(notes).toEqual([])
    expect((await (await ready(edge)).submit('/welcome', {})).status).toBe(303)
  })

  test('from before sign-in is no longer valid after sign-in', async () => {
    const browser = await ready(await serving())
    await browser.submit('/welcome', {})
    expect((await browser.submit('/home', {})).status).toBe(403)
    await browser.open('/home')
    expect((await browser.submit('/home', {})).status).toBe(200)
  })

  test('stays valid after a change of the sealing secret while the old secret is configured', async () => {
    const [before, after] = [keyring('old')('csrf'), keyring('new', ['old'])('csrf')]
    const old = await ready(await serving({ ports: { csrfKeys: before } }), SIGNED_IN)
    const { text } = await old.open('/welcome')
    const csrf = /value="([^"]+)"/.exec(text)?.[1] ?? ''
    const now = await ready(await serving({ ports: { csrfKeys: after } }), SIGNED_IN)
    expect((await now.submit('/home', { csrf })).status).toBe(200)
    const forgotten = await ready(await serving({ ports: { csrfKeys: keyring('new')('csrf') } }), SIGNED_IN)
    expect((await forgotten.submit('/home', { csrf })).status).toBe(403)
  })

  test('that a route reads as text is checked the same way', async () => {
    const browser = await ready(await serving(), SIGNED_IN)
    expect((await browser.submit('/text', { csrf: 'x' })).status).toBe(403)
    expect((await browser.submit('/text', { a: ['1', '2'] })).status).toBe(200)
    expect(notes).toEqual([expect.stringMatching(/^csrf=[^&]+&a=1&a=2$/)])
  })

  test('may be sent to the public address, whatever host the proxy sends', async () => {
    const publicOrigin = 'https://partners.example/'
    const browser = await ready(await serving({ settings: { publicOrigin } }), SIGNED_IN)
    expect((await browser.submit('/home', {}, { origin: 'https://partners.example' })).status).toBe(200)
    expect((await browser.submit('/home', {}, { origin: 'https://other.example' })).status).toBe(403)
  })

  test('must not come from plain http if the public address is https', async () => {
    const edge = await serving({ settings: { https: true } })
    const browser = testBrowser(edge.url)
    browser.cookies.set('__Host-portico', SIGNED_IN)
    await browser.open('/welcome')
    expect((await browser.submit('/home', {})).status).toBe(403)
    expect((await browser.submit('/home', {}, { origin: edge.url.replace('http:', 'https:') })).status).toBe(200)
  })
})

describe('a JSON route for people', () => {
  test('reads the CSRF token from a header', async () => {
    const edge = await serving()
    const { text } = await (await ready(edge, SIGNED_IN)).open('/welcome')
    const csrf = /value="([^"]+)"/.exec(text)?.[1] ?? ''
    const put = (headers: Record<string, string>) =>
      fetch(`${edge.url}/json`, {
        method: 'PUT',
        body: '{"note":"a"}',
        headers: { cookie: `portico=${SIGNED_IN}`, 'content-type': 'application/json', ...headers },
      })
    expect((await put({ 'x-portico-csrf': csrf })).status).toBe(200)
    expect((await readError(await put({}))).type).toBe('forbidden')
    expect((await readError(await put({ 'x-portico-csrf': 'x' }))).type).toBe('forbidden')
    expect((await readError(await put({ 'x-portico-csrf': csrf, origin: 'https://evil.example' }))).type).toBe(
      'forbidden',
    )
    expect(notes).toEqual([{ note: 'a' }])
  })
})

describe('a route table with routes for people', () => {
  test.each(['signIns', 'csrfKeys'] as const)('does not start without the port %s', async (port) => {
    await expect(serving({ ports: { [port]: undefined } })).rejects.toThrow('needs the ports signIns and csrfKeys')
  })

  test('does not start with a route for people that needs a transaction, because a person belongs to no world', async () => {
    const page = ROUTES.find(({ operation }) => operation === 'readHome') as Route
    await expect(serveProbes([{ ...page, work: 'transaction' }])).rejects.toThrow('no credential, no world')
    const unowned = { ...page, access: open('a probe'), work: 'platform' as const }
    await expect(serveProbes([unowned])).rejects.toThrow('is open and cannot work on what both worlds share')
  })
})

import { describe, expect, onTestFinished, test } from 'vitest'
import { keyring } from '#system/crypto/keyring.ts'
import { open, operator, signedIn, user } from './access.ts'
import { isLocalRequest } from './browser/own-form.ts'
import type { OwnHosts } from './edge.ts'
import { route } from './route.ts'
import { serveProbes } from './testing/probe-app.ts'
import { probe, respondsOk } from './testing/probe-route.ts'
import { parseRaw, sendRaw } from './testing/raw-http.ts'

const at = { ...probe, ...respondsOk, alias: false } as const
const ROUTES = [
  route({ ...at, operation: 'document', method: 'GET', path: '/docs', access: open('a probe') }),
  route({ ...at, operation: 'own', method: 'POST', path: '/own', access: user('read:profile') }),
  route({
    ...at,
    operation: 'platform',
    method: 'POST',
    path: '/platform/things',
    access: operator('viewer', 'platform'),
  }),
  route({ ...at, operation: 'page', method: 'POST', path: '/page', access: signedIn() }),
  ...['/healthz', '/readyz', '/metrics'].map((path) =>
    route({ ...at, operation: path.slice(1), method: 'GET', path, access: open('a probe') }),
  ),
]

type Around = {
  readonly ownHosts: OwnHosts
  readonly trustedProxies?: readonly string[]
  readonly atLocalhost?: boolean
}

async function serving({ ownHosts, trustedProxies = [], atLocalhost = false }: Around) {
  const publicOrigin = typeof ownHosts === 'object' ? ownHosts.publicOrigin : null
  const edge = await serveProbes(ROUTES, {
    settings: { ownHosts, publicOrigin, trustedProxies, pagesAtLocalhost: () => atLocalhost },
    ports: { signIns: { find: async () => null }, csrfKeys: keyring('secret')('csrf') },
  })
  onTestFinished(() => edge.close())
  const ask = async (host: string, path = '/docs', headers: readonly string[] = [], method = 'GET') => {
    const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers]
    return parseRaw(await sendRaw(edge.port, `${lines.join('\r\n')}\r\n\r\n`))
  }
  return { ask }
}

const BASE = { publicOrigin: 'https://api.example.com' }

describe('a service with a public address', () => {
  test.each(['api.example.com', 'API.example.com', 'api.example.com:443'])('Host %s is ours', async (host) => {
    const { ask } = await serving({ ownHosts: BASE })
    expect((await ask(host)).status).toBe(200)
  })

  test.each([
    'evil.example',
    'api.example.com.evil.example',
    'api.example.com:8443',
    'evil@api.example.com',
    '127.0.0.1',
    'localhost:4400',
    '',
  ])('Host “%s” gets 421, on paths that exist and on others', async (host) => {
    const { ask } = await serving({ ownHosts: BASE })
    for (const path of ['/docs', '/nowhere']) {
      const { status, body } = await ask(host, path)
      expect([status, JSON.parse(body).error.type]).toEqual([421, 'misdirected_request'])
    }
  })

  test('if the target is an absolute URL, its host counts', async () => {
    const { ask } = await serving({ ownHosts: BASE })
    expect((await ask('api.example.com', 'https://evil.example/docs')).status).toBe(421)
    expect((await ask('evil.example', 'https://api.example.com/docs')).status).toBe(200)
  })

  test.each(['/healthz', '/readyz', '/metrics'])('%s accepts a load balancer’s request by IP address', async (path) => {
    const { ask } = await serving({ ownHosts: BASE })
    expect((await ask('10.0.0.7:4400', path)).status).toBe(200)
  })

  test('only a trusted proxy may forward another host', async () => {
    const forwarded = ['X-Forwarded-Host: api.example.com']
    const trusting = await serving({ ownHosts: BASE, trustedProxies: ['loopback'] })
    expect((await trusting.ask('inside:4400', '/docs', forwarded)).status).toBe(200)
    expect((await trusting.ask('api.example.com', '/docs', ['X-Forwarded-Host: evil.example'])).status).toBe(421)
    const { ask } = await serving({ ownHosts: BASE })
    expect((await ask('inside:4400', '/docs', forwarded)).status).toBe(421)
  })
})

describe('a service that only this machine can reach', () => {
  test.each(['localhost', 'LOCALHOST:4400', '127.0.0.1:4400', '[::1]:4400'])('Host %s is ours', async (host) => {
    const { ask } = await serving({ ownHosts: 'loopback' })
    expect((await ask(host)).status).toBe(200)
  })

  test.each([
    'rebound.example',
    'rebound.example:4400',
    'localhost.evil.example',
    '192.168.1.7:4400',
    '127.0.0.1.evil.example',
  ])('Host %s gets 421, so that a page of another site cannot reach it by DNS rebinding', async (host) => {
    const { ask } = await serving({ ownHosts: 'loopback' })
    expect((await ask(host)).status).toBe(421)
  })
})

describe('a service without a public address that other machines can reach', () => {
  test('every host is accepted', async () => {
    const { ask } = await serving({ ownHosts: 'any' })
    expect((await ask('whatever.example')).status).toBe(200)
  })
})

describe('the Origin of a changing request', () => {
  const change = ['Content-Length: 0', 'Authorization: Bearer ok_test_operator']

  test.each(['/page', '/platform/things'])('of another site gets 403 on %s', async (path) => {
    const { ask } = await serving({ ownHosts: BASE })
    for (const origin of ['https://evil.example', 'http://api.example.com', 'null']) {
      expect((await ask('api.example.com', path, [...change, `Origin: ${origin}`], 'POST')).status).toBe(403)
    }
  })

  test('of our own site is accepted, and so is a request without an Origin', async () => {
    const { ask } = await serving({ ownHosts: BASE })
    for (const more of [['Origin: https://api.example.com'], []]) {
      expect((await ask('api.example.com', '/platform/things', [...change, ...more], 'POST')).status).toBe(200)
    }
  })

  test('of any site is accepted on a bearer route of the partner API', async () => {
    const { ask } = await serving({ ownHosts: BASE })
    const sent = ['Content-Length: 0', 'Authorization: Bearer at_test_user', 'Origin: https://partner.example']
    const response = await ask('api.example.com', '/own', sent, 'POST')
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  })
})

const NAVIGATE = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']

describe('a page that a browser opens under an address of this machine', () => {
  const local = { ownHosts: 'loopback', atLocalhost: true } as const

  test.each([
    ['127.0.0.1:4400', 'http://localhost:4400/docs?a=1'],
    ['[::1]:4400', 'http://localhost:4400/docs?a=1'],
    ['127.0.0.1', 'http://localhost/docs?a=1'],
  ])('at %s is redirected to %s', async (host, location) => {
    const { ask } = await serving(local)
    const response = await ask(host, '/docs?a=1', NAVIGATE)
    expect([response.status, response.headers.get('location')]).toEqual([307, location])
  })

  test.each([
    ['the address is already under localhost', 'localhost:4400', NAVIGATE],
    ['a program requests it', '127.0.0.1:4400', []],
    ['a script of a page requests it', '127.0.0.1:4400', ['Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: empty']],
    ['a page frames it', '127.0.0.1:4400', ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe']],
    ['a proxy forwards it', '127.0.0.1:4400', [...NAVIGATE, 'X-Forwarded-For: 192.0.2.1']],
  ])('is not redirected if %s', async (_, host, headers) => {
    const { ask } = await serving(local)
    expect((await ask(host, '/docs', headers)).status).toBe(200)
  })

  test('is not redirected if the service does not send browsers to localhost', async () => {
    const { ask } = await serving({ ownHosts: 'loopback' })
    expect((await ask('127.0.0.1:4400', '/docs', NAVIGATE)).status).toBe(200)
  })

  test('is still rejected under the name of another site', async () => {
    const { ask } = await serving(local)
    expect((await ask('evil.example:4400', '/docs', NAVIGATE)).status).toBe(421)
  })
})

describe('a request of this machine to itself', () => {
  const sent = (address: string, headers: Record<string, string>) => ({
    address,
    header: (name: string) => headers[name],
  })

  test.each([
    ['127.0.0.1', 'localhost:4400'],
    ['::1', '[::1]:4400'],
    ['127.0.0.1', '127.0.0.1'],
  ])('has the address %s and the host %s', (address, host) => {
    expect(isLocalRequest(sent(address, { host }))).toBe(true)
  })

  const RELAYED = { host: 'localhost', connection: 'close', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }
  test.each([
    ['the address of another machine', '192.0.2.1', { host: 'localhost:4400' }],
    ['a foreign name that resolves to this machine', '127.0.0.1', { host: 'evil.example' }],
    ['no host', '127.0.0.1', {}],
    ['the X-Forwarded-For of a proxy', '127.0.0.1', { host: 'localhost', 'x-forwarded-for': '192.0.2.1' }],
    ['the Via of a proxy', '127.0.0.1', { host: 'localhost', via: '1.1 proxy' }],
    ['the Forwarded header of a proxy', '127.0.0.1', { host: 'localhost', forwarded: 'for=192.0.2.1' }],
    ['the X-Forwarded-Proto of a proxy', '127.0.0.1', { host: 'localhost', 'x-forwarded-proto': 'https' }],
    ['a header of a content delivery network', '127.0.0.1', { host: 'localhost', 'cf-ray': '8f2' }],
    ['a browser’s name and Connection: close, as nginx sends', '127.0.0.1', RELAYED],
  ])('is not a request with %s', (_, address, headers) => {
    expect(isLocalRequest(sent(address, headers))).toBe(false)
  })
})

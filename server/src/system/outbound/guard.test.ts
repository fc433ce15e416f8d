import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { certificateAuthority } from '#test/certificates.ts'
import { type DnsAnswer, type DnsServer, dnsServer } from '#test/dns-server.ts'
import { freePort } from '#test/free-port.ts'
import { type AddressPolicy, addressRanges, PUBLIC_ONLY } from './address.ts'
import { nameResolver } from './connector.ts'
import type { OutboundLimits } from './limits.ts'
import { type OutboundSender, outboundSender } from './sender.ts'
import { PATIENT_LIMITS } from './testing/patient-limits.ts'
import { rawReceiver } from './testing/raw-receiver.ts'

/** In these tests this address is the internet and counts as public. 127.0.0.1 is our own network and is not public. */
const INTERNET = '127.0.0.2'
const INSIDE = '127.0.0.1'
const NAME = 'hooks.partner.example'
const REACH: AddressPolicy = { loopback: false, ranges: addressRanges(`${INTERNET}/32`, '127.0.0.3/32') }

const authority = certificateAuthority()
const identity = authority.issue([NAME, INTERNET])
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

type Served = { readonly port: number; readonly hosts: string[]; readonly connections: Socket[] }

async function httpsServer(host: string, options: TlsOptions = identity, port = 0, body = 'ok'): Promise<Served> {
  const hosts: string[] = []
  const connections: Socket[] = []
  const server = createServer(options, (request, response) => {
    request.resume()
    hosts.push(`${request.headers.host} ${(request.socket as TLSSocket & { servername?: unknown }).servername}`)
    response.end(body)
  })
  server.on('connection', (socket: Socket) => connections.push(socket))
  server.on('tlsClientError', () => {})
  server.keepAliveTimeout = 0
  server.listen(port, host)
  await once(server, 'listening')
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return { port: (server.address() as AddressInfo).port, hosts, connections }
}

type World = { readonly sender: OutboundSender; readonly dns: DnsServer }

async function world(
  answer: DnsAnswer,
  addressPolicy: AddressPolicy = REACH,
  limits: Partial<OutboundLimits> = {},
): Promise<World> {
  const dns = await dnsServer(answer)
  const resolve = nameResolver({ servers: [dns.address], queryMs: 30_000 })
  const sender = outboundSender({
    addressPolicy,
    resolve,
    limits: { ...PATIENT_LIMITS, ...limits },
    ca: [authority.pem],
  })
  closing.push(dns.close, sender.close)
  return { sender, dns }
}

const post = (sender: OutboundSender, url: string) => sender.send({ url, headers: {}, body: '{}' })
const BLOCKED = { kind: 'failed', why: 'blocked_url' }

describe('https to a public name', () => {
  test('is sent to the name’s address, with the name in the handshake and the Host header', async () => {
    const { port, hosts } = await httpsServer(INTERNET)
    const { sender, dns } = await world(() => [INTERNET])
    const outcome = await post(sender, `https://${NAME}:${port}/hook`)
    expect(outcome).toMatchObject({ kind: 'answered', status: 200, bodyStart: 'ok' })
    expect(hosts).toEqual([`${NAME}:${port} ${NAME}`])
    expect(dns.questions.map(({ name, family }) => `${name} ${family}`).sort()).toEqual([`${NAME} 4`, `${NAME} 6`])
  })

  test('an internationalised name is looked up in punycode', async () => {
    const name = 'xn--bcher-kva.example'
    const { port, hosts } = await httpsServer(INTERNET, authority.issue([name]))
    const { sender } = await world(({ name: asked }) => (asked === name ? [INTERNET] : []))
    expect(await post(sender, `https://Bücher.example:${port}/`)).toMatchObject({ status: 200 })
    expect(hosts).toEqual([`${name}:${port} ${name}`])
  })

  test('an address in the URL needs a certificate for that address', async () => {
    const { port } = await httpsServer(INTERNET)
    const other = await httpsServer(INTERNET, authority.issue([NAME]))
    const { sender } = await world(() => [])
    expect(await post(sender, `https://${INTERNET}:${port}/`)).toMatchObject({ status: 200 })
    expect(await post(sender, `https://${INTERNET}:${other.port}/`)).toMatchObject({ why: 'tls_error' })
  })

  test('ten requests at once cause one DNS query for each address family', async () => {
    const { port } = await httpsServer(INTERNET)
    const { sender, dns } = await world(() => [INTERNET])
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => post(sender, `https://${NAME}:${port}/`)))
    expect(outcomes.every(({ kind }) => kind === 'answered')).toBe(true)
    expect(dns.questions).toHaveLength(2)
  })

  test('reads a long response to its end, and uses the connection again', async () => {
    const { port, connections } = await httpsServer(INTERNET, identity, 0, 'x'.repeat(16_000))
    const { sender } = await world(() => [INTERNET])
    for (let sent = 0; sent < 3; sent += 1) {
      expect(await post(sender, `https://${NAME}:${port}/`)).toMatchObject({
        status: 200,
        bodyStart: 'x'.repeat(1_024),
      })
    }
    expect(connections).toHaveLength(1)
  })

  test('uses the first of several addresses that accepts a connection', async () => {
    const { port } = await httpsServer(INTERNET)
    const { sender } = await world(() => ['127.0.0.3', INTERNET])
    expect(await post(sender, `https://${NAME}:${port}/`)).toMatchObject({ status: 200 })
  })
})

test.each<[4 | 6, string]>([
  [4, '2001:4860::1'],
  [6, INTERNET],
])('a name server that does not respond for IPv%d: the other family is enough', async (silent, address) => {
  const dns = await dnsServer(({ family }) => (family === silent ? null : [address]))
  closing.push(dns.close)
  const resolve = nameResolver({ servers: [dns.address], queryMs: 30_000 })
  expect(await resolve(NAME)).toEqual([address])
})

test('a name server that responds only to the third query still gives the address', async () => {
  const dns = await dnsServer((_, nth) => (nth < 3 ? null : [INTERNET]))
  closing.push(dns.close)
  const resolve = nameResolver({ servers: [dns.address], queryMs: 500 })
  expect(await resolve(NAME)).toEqual([INTERNET])
})

test('a receiver cannot request TLS renegotiation', async () => {
  let handshakes = 0
  const server = createTlsServer({ ...identity, maxVersion: 'TLSv1.2' }, (socket) => {
    handshakes += 1
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.renegotiate({}, (error) => {
        if (error === null) handshakes += 1
        socket.destroy()
      })
    })
  }).listen(0, INTERNET)
  await once(server, 'listening')
  closing.push(() => new Promise((resolve) => server.close(() => resolve())))
  const { sender } = await world(() => [INTERNET])
  const { port } = server.address() as AddressInfo
  expect(await post(sender, `https://${NAME}:${port}/`)).toMatchObject({ kind: 'failed' })
  expect(handshakes).toBe(1)
})

describe('tls_error', () => {
  const stranger = certificateAuthority('Another person')

  test.each<[string, TlsOptions]>([
    ['a certificate of an authority we do not trust', stranger.issue([NAME])],
    ['a certificate for another name', authority.issue(['other.partner.example'])],
    ['an expired certificate', authority.issue([NAME], new Date(Date.now() - 86_400_000))],
    ['a certificate without any name', authority.issue([])],
    [
      'a protocol that is too old',
      { ...identity, maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' },
    ],
    ['a request for a client certificate', { ...identity, requestCert: true, ca: [authority.pem] }],
  ])('%s', async (_, options) => {
    const { port, hosts } = await httpsServer(INTERNET, options)
    const { sender } = await world(() => [INTERNET])
    expect(await post(sender, `https://${NAME}:${port}/`)).toMatchObject({ kind: 'failed', why: 'tls_error' })
    expect(hosts).toEqual([])
  })

  test('plain HTTP where TLS should be', async () => {
    const port = await plainServer((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const { sender } = await world(() => [INTERNET])
    expect(await post(sender, `https://${NAME}:${port}/`)).toMatchObject({ kind: 'failed', why: 'tls_error' })
  })
})

describe('no connection', () => {
  test('a reset in the handshake: connection_failed', async () => {
    const port = await plainServer((socket) => socket.resetAndDestroy())
    const { sender } = await world(() => [INTERNET])
    expect(await post(sender, `https://${NAME}:${port}/`)).toMatchObject({ why: 'connection_failed' })
  })

  test('a handshake that stalls: timeout', async () => {
    const port = await plainServer(() => {})
    const { sender } = await world(() => [INTERNET], REACH, { connectMs: 100 })
    expect(await post(sender, `https://${NAME}:${port}/`)).toMatchObject({ why: 'timeout' })
  })

  test('no such name: connection_failed', async () => {
    const { sender } = await world(() => [])
    expect(await post(sender, `https://${NAME}/`)).toMatchObject({ why: 'connection_failed' })
  })

  test('a request abandoned during the handshake: the connection is closed at once', async () => {
    const server = await rawReceiver(() => {}, INTERNET)
    closing.push(server.close)
    const { sender } = await world(() => [INTERNET])
    const giveUp = new AbortController()
    const url = `https://${NAME}:${server.port}/`
    const sent = sender.send({ url, headers: {}, body: '', signal: giveUp.signal })
    while (server.connections.made === 0) await nextTurn()
    giveUp.abort(new Error('enough'))
    await expect(sent).rejects.toThrow('enough')
    await server.allGone()
  })

  test('a request abandoned during the DNS query: no connection is made for this request', async () => {
    const server = await rawReceiver(
      () => {},
      INTERNET,
      (socket) => socket.destroy(),
    )
    closing.push(server.close)
    const known = Promise.withResolvers<readonly string[]>()
    const resolve = () => known.promise
    const sender = outboundSender({ addressPolicy: REACH, resolve, limits: PATIENT_LIMITS })
    closing.push(sender.close)
    const giveUp = new AbortController()
    const url = `https://${NAME}:${server.port}/`
    const sent = sender.send({ url, headers: {}, body: '', signal: giveUp.signal })
    const other = post(sender, url)
    giveUp.abort(new Error('enough'))
    await expect(sent).rejects.toThrow('enough')
    known.resolve([INTERNET])
    expect(await other).toMatchObject({ why: 'connection_failed' })
    expect(server.connections.made).toBe(1)
  })

  test('a name server that never responds: timeout after the last try of the query', async () => {
    const dns = await dnsServer(() => null)
    const resolve = nameResolver({ servers: [dns.address], queryMs: 1 })
    const sender = outboundSender({ addressPolicy: REACH, resolve, limits: PATIENT_LIMITS })
    closing.push(dns.close, sender.close)
    expect(await post(sender, `https://${NAME}/`)).toMatchObject({ why: 'timeout' })
  })

  test('a name server that never responds: timeout at the limit for opening a connection', async () => {
    const { sender } = await world(() => null, REACH, { connectMs: 100 })
    expect(await post(sender, `https://${NAME}/`)).toMatchObject({ why: 'timeout' })
  })
})

describe('blocked_url', () => {
  test.each([
    ...['127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1'],
    ...['::1', '::', 'fe80::1', 'fd00:ec2::254', '::ffff:7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001::1'],
  ])('a name that leads to %s', async (address) => {
    const { sender } = await world(() => [address])
    expect(await post(sender, `https://${NAME}/`)).toMatchObject(BLOCKED)
  })

  test.each([[[INTERNET, INSIDE]], [[INSIDE, INTERNET]], [[INTERNET, '::1']], [[INTERNET, '127.0.0.3', '10.0.0.1']]])(
    'a name with several addresses of which one is not public: %j',
    async (addresses) => {
      const { port, connections } = await httpsServer(INTERNET)
      const { sender } = await world(() => addresses)
      expect(await post(sender, `https://${NAME}:${port}/`)).toMatchObject(BLOCKED)
      expect(connections).toHaveLength(0)
    },
  )

  test('an address of our own network in the URL, in any spelling: no connection and no DNS query', async () => {
    const { port, connections } = await httpsServer(INSIDE)
    const { sender, dns } = await world(() => [INTERNET])
    const spellings = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '[::ffff:127.0.0.1]',
      '[::1]',
      '127.0.0.1.',
    ]
    for (const host of spellings) expect(await post(sender, `https://${host}:${port}/`)).toMatchObject(BLOCKED)
    expect(connections).toHaveLength(0)
    expect(dns.questions).toHaveLength(0)
  })

  test('a URL that could not have been registered', async () => {
    const { sender } = await world(() => [INTERNET])
    const urls = [`http://${NAME}/`, `https://user@${NAME}/`, `https://${NAME}:25/`, 'https://localhost/', 'nonsense']
    for (const url of urls) expect(await post(sender, url)).toMatchObject(BLOCKED)
  })
})

describe('a name that changes its address between check and connection', () => {
  test('gets a connection to the checked address: one query, one address', async () => {
    const outside = await httpsServer(INTERNET, identity, await freePort())
    const inside = await httpsServer(INSIDE, identity, outside.port)
    // The first DNS response has a public address, every later response a private one.
    const { sender, dns } = await world((_, nth) => [nth === 1 ? INTERNET : INSIDE])
    expect(await post(sender, `https://${NAME}:${outside.port}/`)).toMatchObject({ status: 200 })
    expect(dns.questions.filter(({ family }) => family === 4)).toHaveLength(1)
    expect(outside.connections).toHaveLength(1)
    expect(inside.connections).toHaveLength(0)
  })

  test('is blocked at the next connection, and our network is never reached', async () => {
    const outside = await httpsServer(INTERNET, identity, await freePort())
    const inside = await httpsServer(INSIDE, identity, outside.port)
    const answer: DnsAnswer = (_, nth) => [nth === 1 ? INTERNET : INSIDE]
    const { sender } = await world(answer, REACH, { connectionLifeMs: -1 })
    expect(await post(sender, `https://${NAME}:${outside.port}/`)).toMatchObject({ status: 200 })
    expect(await post(sender, `https://${NAME}:${outside.port}/`)).toMatchObject(BLOCKED)
    expect(inside.connections).toHaveLength(0)
  })

  test('an open connection stays at the checked address', async () => {
    const outside = await httpsServer(INTERNET)
    const { sender } = await world((_, nth) => [nth === 1 ? INTERNET : INSIDE])
    for (let sent = 0; sent < 3; sent += 1) {
      expect(await post(sender, `https://${NAME}:${outside.port}/`)).toMatchObject({ status: 200 })
    }
    expect(outside.connections).toHaveLength(1)
  })
})

describe('loopback', () => {
  const withLoopback: AddressPolicy = { loopback: true, ranges: [] }

  test('if it is allowed, gets webhooks over http: localhost is this machine, without a DNS query', async () => {
    const server = await rawReceiver((socket) => socket.write('HTTP/1.1 204 x\r\n\r\n'))
    closing.push(server.close)
    const { sender, dns } = await world(() => ['10.0.0.1'], withLoopback)
    for (const host of ['localhost', 'app.localhost', '127.0.0.1']) {
      expect(await post(sender, `http://${host}:${server.port}/`)).toMatchObject({ status: 204 })
    }
    expect(dns.questions).toHaveLength(0)
  })

  test('stays blocked under a name that resolves to it', async () => {
    const { port, connections } = await httpsServer(INSIDE)
    const { sender } = await world(() => [INSIDE], withLoopback)
    expect(await post(sender, `https://${NAME}:${port}/`)).toMatchObject(BLOCKED)
    expect(await post(sender, `http://${NAME}:${port}/`)).toMatchObject(BLOCKED)
    expect(connections).toHaveLength(0)
  })

  test('stays blocked if it is not allowed', async () => {
    const server = await rawReceiver(() => {})
    closing.push(server.close)
    const { sender } = await world(() => [INSIDE], PUBLIC_ONLY)
    expect(await post(sender, server.url)).toMatchObject(BLOCKED)
    expect(await post(sender, `http://localhost:${server.port}/`)).toMatchObject(BLOCKED)
    expect(server.connections.made).toBe(0)
  })
})

/** A TCP server on the address that counts as the internet. It handles each new connection with `behave`. */
async function plainServer(behave: (socket: Socket) => void): Promise<number> {
  const server = await rawReceiver(() => {}, INTERNET, behave)
  closing.push(server.close)
  return server.port
}

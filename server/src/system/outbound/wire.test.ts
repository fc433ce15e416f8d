import { once } from 'node:events'
import { type AddressInfo, createServer, Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { TLSSocket, type TlsOptions } from 'node:tls'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { certificateAuthority } from '#test/certificates.ts'
import { connections } from './connections.ts'
import { Exchange } from './exchange.ts'
import { OUTBOUND_LIMITS, type OutboundLimits } from './limits.ts'
import type { Outcome } from './outcome.ts'
import { type OutboundSender, outboundSender } from './sender.ts'
import { type RawReceiver, rawReceiver } from './testing/raw-receiver.ts'

/** The number of bytes that Node reads from a socket at a time. */
const READ_BYTES = 65_536
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const ANOTHER = 'HTTP/1.1 500 another\r\ncontent-length: 0\r\n\r\n'
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

function newSender(limits: Partial<OutboundLimits> = {}): OutboundSender {
  const sender = outboundSender({ addressPolicy: { loopback: true, ranges: [] }, limits })
  closing.push(sender.close)
  return sender
}

async function receiver(behave: (socket: Socket, nth: number) => void): Promise<RawReceiver> {
  const made = await rawReceiver(behave)
  closing.push(made.close)
  return made
}

const post = (sender: OutboundSender, url: string) => sender.send({ url, headers: {}, body: '{}' })

describe('responses after which the next request uses a new connection', () => {
  const head = 'HTTP/1.1 200 OK\r\n'
  const length = 'content-length: 2\r\n'
  const chunked = 'transfer-encoding: chunked\r\n'

  test.each([
    ['LF alone', `HTTP/1.1 200 OK\n${length}\nok`],
    ['a folded line', `${head}x: y\r\n z\r\n${length}\r\nok`],
    ['a space before the colon', `${head}content-length : 2\r\n\r\nok`],
    ['two lengths', `${head}${length}content-length: 53\r\n\r\nok`],
    ['a length and chunks', `${head}${length}${chunked}\r\n0\r\n\r\n`],
    ['NUL', `${head}x: \0\r\n${length}\r\nok`],
    ['not HTTP', 'RTSP/1.0 200 OK\r\n\r\n'],
  ])('%s: connection_failed', async (_, answer) => {
    const server = await receiver((socket, nth) => socket.write(nth === 1 ? `${answer}${ANOTHER}` : OK))
    const sender = newSender()
    expect(await post(sender, server.url)).toMatchObject({ kind: 'failed', why: 'connection_failed' })
    expect(await post(sender, server.url)).toMatchObject({ status: 200, bodyStart: 'ok' })
    expect(server.connections.made).toBe(2)
  })

  test.each([
    ['an extension', `${head}${chunked}\r\n0;x="\r\n\r\n`],
    ['trailers', `${head}${chunked}\r\n0\r\nx: y\r\n\r\n`],
    ['a huge size', `${head}${chunked}\r\n100000000\r\n`],
    ['an unrequested coding', `${head}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['a body that is not allowed', `HTTP/1.1 204 x\r\n${length}\r\nok`],
    ['a body longer than its length', `${head}${length}\r\nokay`],
    ['the end of the connection', `${head}connection: close\r\n${length}\r\nok`],
    ['HTTP/1.0', `HTTP/1.0 200 OK\r\n${length}\r\nok`],
    ['a receiver that stops waiting', `${head}keep-alive: timeout=2\r\n${length}\r\nok`],
  ])('%s: the status counts', async (_, answer) => {
    const server = await receiver((socket, nth) => socket.write(nth === 1 ? answer : OK))
    const sender = newSender()
    expect(await post(sender, server.url)).toMatchObject({ status: expect.any(Number) })
    expect(await post(sender, server.url)).toMatchObject({ status: 200, bodyStart: 'ok' })
    expect(server.connections.made).toBe(2)
  })
})

describe('bytes after a response are not read as the next response', () => {
  test('where the response fills one read exactly', async () => {
    const chunks = `${'2\r\nzz\r\n'.repeat(8_000)}0\r\n\r\n`
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nx: '
    const answer = `${head}${'y'.repeat(READ_BYTES - chunks.length - head.length - 4)}\r\n\r\n${chunks}`
    expect(answer).toHaveLength(READ_BYTES)
    const server = await receiver((socket, nth) => socket.write(nth === 1 ? `${answer}${ANOTHER}` : OK))
    const sender = newSender()
    expect(await post(sender, server.url)).toMatchObject({ status: 200 })
    expect(await post(sender, server.url)).toMatchObject({ status: 200, bodyStart: 'ok' })
    expect(server.connections.made).toBe(2)
  })

  test('where the response and those bytes are TLS records that arrive together', async () => {
    const authority = certificateAuthority()
    const server = await tlsReceiver(authority.issue(['127.0.0.1']), (nth) => (nth === 1 ? [OK, ANOTHER] : [OK]))
    const sender = outboundSender({ addressPolicy: { loopback: true, ranges: [] }, ca: [authority.pem] })
    closing.push(sender.close)
    for (let sent = 0; sent < 3; sent += 1) {
      expect(await post(sender, server.url)).toMatchObject({ status: 200, bodyStart: 'ok' })
    }
    expect(server.connections.made).toBe(2)
  })
})

describe('a connection that stays open', () => {
  test('carries one response after the other, in any pieces', async () => {
    const long = 'x'.repeat(10_000)
    const answers = [
      OK,
      'HTTP/1.1 102 x\r\n\r\nHTTP/1.1 204 x\r\nconnection: keep-alive\r\nkeep-alive: timeout=60\r\n\r\n',
      'HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
      `HTTP/1.1 200 x\r\nx: ${long}\r\ncontent-length: 10000\r\n\r\n${long}`,
      'HTTP/1.0 200 x\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n',
    ]
    const server = await receiver(
      (socket, nth) => void inPieces(socket, answers[nth - 1] ?? '', nth % 2 === 0 ? 1_000 : 7),
    )
    const sender = newSender()
    const starts: unknown[] = []
    for (const _ of answers) starts.push(await post(sender, server.url))
    expect(starts).toMatchObject(['ok', '', 'abc', long.slice(0, 1_024), ''].map((bodyStart) => ({ bodyStart })))
    expect(server.connections.made).toBe(1)
  })

  test.each([
    ['a response', 'HTTP/1.1 408 Request Timeout\r\n\r\n'],
    ['the first byte of a response', 'H'],
    ['an empty line', '\r\n'],
  ])('is closed if the receiver sends %s without a request', async (_, text) => {
    const sockets: Socket[] = []
    const server = await receiver((socket) => {
      sockets.push(socket)
      socket.write(OK)
    })
    const sender = newSender()
    expect(await post(sender, server.url)).toMatchObject({ status: 200 })
    sockets[0]?.write(text)
    await server.allGone()
    expect(await post(sender, server.url)).toMatchObject({ status: 200 })
    expect(server.connections.made).toBe(2)
  })

  test('gives connection_failed, without an automatic retry, if the receiver closes it instead of responding', async () => {
    const server = await receiver((socket, nth) => (nth === 2 ? socket.destroy() : socket.write(OK)))
    const sender = newSender()
    expect(await post(sender, server.url)).toMatchObject({ status: 200 })
    expect(await post(sender, server.url)).toMatchObject({ kind: 'failed', why: 'connection_failed' })
    expect(server.requests).toHaveLength(2)
    expect(await post(sender, server.url)).toMatchObject({ status: 200 })
  })

  test('is not used again if the response came before the request was read', async () => {
    const arrived: Socket[] = []
    const server = createServer((socket) => {
      arrived.push(socket)
      socket.on('error', () => {})
      socket.once('data', () => socket.pause().write(OK))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(
      () =>
        new Promise((resolve) => {
          server.close(() => resolve())
          for (const socket of arrived) socket.destroy()
        }),
    )
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const sender = newSender()
    const body = Buffer.alloc(32 * 1_024 * 1_024)
    for (let sent = 0; sent < 2; sent += 1) {
      expect(await sender.send({ url, headers: {}, body })).toMatchObject({ status: 200, bodyStart: 'ok' })
    }
    expect(arrived).toHaveLength(2)
  })

  test('is closed with its sender', async () => {
    const server = await receiver((socket) => socket.write(OK))
    const sender = newSender()
    await Promise.all([post(sender, server.url), post(sender, server.url)])
    await sender.close()
    await server.allGone()
    expect(server.connections).toEqual({ made: 2, open: 0 })
  })

  test('is closed after the response if its sender was closed meanwhile', async () => {
    const accepted: Socket[] = []
    const server = await receiver((socket) => accepted.push(socket))
    const sender = newSender()
    const sent = post(sender, server.url)
    while (accepted.length === 0) await nextTurn()
    const closed = Promise.all([sender.close(), sender.close()])
    accepted[0]?.write(OK)
    expect(await sent).toMatchObject({ status: 200 })
    await closed
    await server.allGone()
  })
})

describe('a receiver that does not wait for the request', () => {
  test('and closes every connection at once gets one attempt', async () => {
    const server = await rawReceiver(
      () => {},
      '127.0.0.1',
      (socket) => socket.destroy(),
    )
    closing.push(server.close)
    expect(await post(newSender(), server.url)).toMatchObject({ kind: 'failed', why: 'connection_failed' })
    expect(server.connections.made).toBe(1)
  })

  test('and closes each connection before undici gets the socket: one attempt', async () => {
    let opened = 0
    const open = async () => {
      opened += 1
      return new Socket().destroy()
    }
    const place = { origin: 'http://127.0.0.1:1', host: '127.0.0.1', port: 1, secure: false }
    const connection = connections({ limits: OUTBOUND_LIMITS, open }).take(place)
    const outcome = new Promise<Outcome>((resolve, reject) => {
      const home = { limits: OUTBOUND_LIMITS, over: () => {} }
      const exchange = new Exchange(connection, { signal: undefined, resolve, reject }, home)
      connection.send({ method: 'POST', path: '/', body: '{}' }, exchange)
    })
    expect(await outcome).toMatchObject({ kind: 'failed', why: 'connection_failed' })
    expect(opened).toBe(1)
    connection.end()
  })

  test('and responds at once to every connection gets one attempt', async () => {
    const server = await rawReceiver(
      () => {},
      '127.0.0.1',
      (socket) => socket.write(`${OK}${ANOTHER}`),
    )
    closing.push(server.close)
    const sender = newSender()
    for (let sent = 1; sent <= 3; sent += 1) {
      // The receiver's bytes may arrive before or after the request is sent.
      expect((await post(sender, server.url)).kind).toMatch(/^(?:answered|failed)$/)
      expect(server.connections.made).toBe(sent)
    }
  })
})

test('any bytes from a receiver, in any pieces, give an outcome, and no connection stays open', async () => {
  const fragments = fc.constantFrom(
    ...[
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.1 204 x\r\n\r\n',
      'HTTP/1.1 100 x\r\n\r\n',
      'HTTP/1.0 500 x\r\n',
      '\r\n',
      '\n',
      '\0',
    ],
    ...[
      'content-length: 2\r\n',
      'transfer-encoding: chunked\r\n',
      'x: y\r\n',
      ' z\r\n',
      '2\r\nok\r\n',
      '0\r\n\r\n',
      'ok',
    ],
  )
  const text = fc.oneof(
    fc.array(fragments, { maxLength: 8 }).map((all) => all.join('')),
    fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('latin1')),
  )
  const piece = fc.record({ text, size: fc.integer({ min: 1, max: 40 }), ends: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 5 }), async (all) => {
      const server = await rawReceiver((socket, nth) => {
        const answer = all[(nth - 1) % all.length]
        void inPieces(socket, answer?.text ?? '', answer?.size ?? 1).then(() => answer?.ends && socket.end())
      })
      const sender = newSender({ totalMs: 60, bodyMs: 30, tickMs: 5 })
      const outcomes = await Promise.all(all.map(() => post(sender, server.url)))
      for (const { kind } of [...outcomes, await post(sender, server.url)])
        expect(kind).toMatch(/^(?:answered|failed)$/)
      await sender.close()
      await server.allGone()
      await server.close()
    }),
    { numRuns: 40 },
  )
})

/** Answers every request with these TLS records, sent in one piece. */
async function tlsReceiver(identity: TlsOptions, answer: (nth: number) => readonly string[]) {
  const connections = { made: 0 }
  let requests = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    connections.made += 1
    sockets.add(socket.on('error', () => {}))
    let joined: Buffer[] | null = null
    const gathered = new Duplex({
      read: () => void socket.resume(),
      write(bytes: Buffer, _, done) {
        if (joined === null) socket.write(bytes)
        else joined.push(bytes)
        done()
      },
    })
    socket.on('data', (bytes: Buffer) => gathered.push(bytes)).on('close', () => gathered.destroy())
    const secure = new TLSSocket(gathered, { ...identity, isServer: true }).on('error', () => {})
    secure.on('data', () => {
      joined = []
      requests += 1
      const records = answer(requests)
      for (const record of records.slice(0, -1)) secure.write(record)
      secure.write(records.at(-1) ?? '', () => {
        socket.write(Buffer.concat(joined ?? []))
        joined = null
      })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  )
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`, connections }
}

/** Each piece is sent in its own turn of the event loop, so that it usually arrives alone. */
async function inPieces(socket: Socket, text: string, size: number): Promise<void> {
  const bytes = Buffer.from(text, 'latin1')
  for (let at = 0; at < bytes.length && socket.writable; at += size) {
    socket.write(bytes.subarray(at, at + size))
    await nextTurn()
  }
}

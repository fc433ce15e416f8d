import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Type } from 'typebox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { open } from './access.ts'
import { PARKED_MAX } from './pipelining.ts'
import { type Route, route } from './route.ts'
import { type ProbeApp, serveProbes } from './testing/probe-app.ts'
import { probe, respondsOk } from './testing/probe-route.ts'
import { sendRaw } from './testing/raw-http.ts'

const anybody = { access: open('a probe'), alias: false } as const
const PLAIN = route({ ...probe, ...respondsOk, ...anybody, operation: 'plain', method: 'GET', path: '/plain' })
const PLAIN_TEXT = 'GET /plain HTTP/1.1\r\nHost: x\r\n\r\n'

/** Responds to each POST with the number in its path; number 0 waits for `release`. `begun` has the order of the handlers. */
function numbered() {
  const begun: number[] = []
  const released = Promise.withResolvers<void>()
  const number = route({
    ...probe,
    ...anybody,
    operation: 'number',
    method: 'POST',
    path: '/number/:number',
    schema: {
      params: Type.Object({ number: Type.String() }),
      body: Type.Object({ note: Type.Optional(Type.String()) }),
      response: { 200: Type.Object({ number: Type.Integer(), length: Type.Integer() }) },
    },
    handler: async ({ params, body }) => {
      const number = Number(params.number)
      begun.push(number)
      if (number === 0) await released.promise
      return { status: 200, body: { number, length: body.note?.length ?? -1 } }
    },
  })
  return { number, begun, release: () => released.resolve() }
}

type Watched = ProbeApp & {
  /** Requests that Node has parsed, by connection. */
  readonly parsed: Map<Socket, IncomingMessage[]>
}

async function serving(routes: readonly Route[]): Promise<Watched> {
  const edge = await serveProbes(routes)
  onTestFinished(() => edge.close())
  const parsed = new Map<Socket, IncomingMessage[]>()
  edge.app.server.on('connection', (socket) => parsed.set(socket, []))
  edge.app.server.on('request', (request) => parsed.get(request.socket)?.push(request))
  return { ...edge, parsed }
}

function clientOf(edge: ProbeApp): Socket {
  const socket = connect(edge.port, '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}

const withoutBody = (at: number) => `POST /number/${at} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`
const withBody = (at: number, body = JSON.stringify({ note: 'n'.repeat(at % 97) })) =>
  `POST /number/${at} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const inChunks = (at: number) =>
  `POST /number/${at} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n` +
  '2\r\n{}\r\n0\r\n\r\n'
const many = (length: number, text: (at: number) => string) => Array.from({ length }, (_, at) => text(at)).join('')
const numbersIn = (text: string) => [...text.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number))
const upTo = (length: number) => Array.from({ length }, (_, at) => at)
const CLOSE = 'GET /plain HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

describe('the limit of parked requests', () => {
  test('one connection has at most one running request and PARKED_MAX parsed requests that wait', async () => {
    const { number, begun, release } = numbered()
    const edge = await serving([number, PLAIN])
    const client = clientOf(edge)
    const count = 10_000
    // 600 kB: ten socket reads, each with about a thousand requests.
    client.write(many(count, withoutBody))
    await expect.poll(() => begun).toEqual([0])
    const [[socket, requests] = []] = edge.parsed
    await expect.poll(() => requests?.length).toBe(1 + PARKED_MAX)
    // Other requests are served meanwhile: enough turns for the server to parse more requests if nothing stopped it.
    for (let n = 0; n < 50; n++) expect((await fetch(`${edge.url}/plain`)).status).toBe(200)
    expect(requests).toHaveLength(1 + PARKED_MAX)
    // The server has not even read most of the remaining bytes from the socket.
    expect(socket?.readableLength).toBeLessThanOrEqual(2 * 65_536)
    expect(socket?.bytesRead).toBeLessThan(4 * 65_536)

    const finished = once(client, 'close')
    let last = ''
    client.on('data', (piece) => {
      last = (last + piece).slice(-4_096)
      if (last.includes(`"number":${count - 1},`)) client.destroy()
    })
    release()
    await finished
    expect(begun).toEqual(upTo(count))
  })

  test('other connections are served between two pipelined requests', async () => {
    const { number, begun, release } = numbered()
    const edge = await serving([number, PLAIN])
    const client = clientOf(edge).resume()
    release()
    const count = 10_000
    client.write(many(count, withoutBody))
    await expect.poll(() => begun.length).toBeGreaterThan(0)
    expect((await fetch(`${edge.url}/plain`)).status).toBe(200)
    expect(begun.length).toBeLessThan(count)
  })
})

describe('a client that pipelines', () => {
  test.each<[string, (at: number) => string]>([
    ['without bodies', withoutBody],
    ['with bodies', withBody],
    ['in chunks', inChunks],
    ['with bodies larger than a read', (at) => withBody(at, JSON.stringify({ note: 'n'.repeat((at % 3) * 70_000) }))],
    ['of all kinds', (at) => [withoutBody, withBody, inChunks][at % 3]?.(at) ?? ''],
  ])('gets every answer, in order: 500 requests %s', async (_, text) => {
    const { number, begun, release } = numbered()
    release()
    const edge = await serving([number, PLAIN])
    const received = await sendRaw(edge.port, many(500, text) + CLOSE)
    expect(numbersIn(received)).toEqual(upTo(500))
    expect(begun).toEqual(upTo(500))
  })

  test.each(upTo(PARKED_MAX + 3).map((more) => PARKED_MAX + more))(
    'gets every response after exactly %i requests without a body',
    async (count) => {
      const { number, release } = numbered()
      release()
      const edge = await serving([number])
      const client = clientOf(edge)
      let received = ''
      client.on('data', (piece) => {
        received += piece
      })
      client.write(many(count, withoutBody))
      await expect.poll(() => numbersIn(received)).toEqual(upTo(count))
    },
  )

  test('gets every answer when it sends a few bytes at a time', async () => {
    const { number, release } = numbered()
    release()
    const edge = await serving([number, PLAIN])
    const client = clientOf(edge)
    let received = ''
    client.on('data', (piece) => {
      received += piece
    })
    const text = many(60, (at) => [withoutBody, withBody, inChunks][at % 3]?.(at) ?? '')
    for (let at = 0; at < text.length; at += 7) {
      if (!client.write(text.slice(at, at + 7))) await once(client, 'drain')
      if (at % 70 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await expect.poll(() => numbersIn(received)).toEqual(upTo(60))
  })

  test('gets the answers before bytes that are not HTTP, and nothing after them', async () => {
    const { number, begun, release } = numbered()
    release()
    const edge = await serving([number])
    const received = await sendRaw(edge.port, `${withoutBody(0)}\u0000\u0000\r\n\r\n${withoutBody(1)}`)
    expect([numbersIn(received), begun]).toEqual([[0], [0]])
  })
})

describe('a client that disconnects', () => {
  test.each([
    ['three', 3],
    ['20,000', 20_000],
  ])('after sending %s requests: only the handler of the first request runs', async (_, count) => {
    const { number, begun, release } = numbered()
    const edge = await serving([number, PLAIN])
    const client = clientOf(edge)
    client.write(many(count, withoutBody))
    const [[socket, requests] = []] = await waited(edge.parsed)
    await expect.poll(() => requests?.length).toBeGreaterThan(1)
    expect(begun).toEqual([0])
    client.resetAndDestroy()
    release()
    await expect.poll(() => socket?.destroyed).toBe(true)
    await expect.poll(() => edge.observed.filter(({ operation }) => operation === 'number')).toHaveLength(1)
    // Enough turns for the parked requests to start if they were not dropped.
    for (let n = 0; n < 20; n++) expect((await fetch(`${edge.url}/plain`)).status).toBe(200)
    expect(begun).toEqual([0])
    expect(requests?.length).toBeLessThanOrEqual(1 + PARKED_MAX)
  })
})

async function waited<T>(map: ReadonlyMap<Socket, T>): Promise<[Socket, T][]> {
  await expect.poll(() => map.size).toBe(1)
  return [...map]
}

describe('a client that reads nothing', () => {
  test('gets every response in order when it reads later', async () => {
    const large = route({
      ...probe,
      ...anybody,
      operation: 'large',
      method: 'GET',
      path: '/large/:number',
      schema: { params: Type.Object({ number: Type.String() }), response: { 200: Type.String() } },
      contentType: 'text/plain; charset=utf-8',
      handler: async ({ params }) => ({ status: 200, body: `"number":${params.number};${'x'.repeat(200_000)}` }),
    })
    const edge = await serving([large, PLAIN])
    const client = clientOf(edge).pause()
    const count = 200
    client.write(many(count, (at) => `GET /large/${at} HTTP/1.1\r\nHost: x\r\n\r\n`) + PLAIN_TEXT)
    const [[socket, requests] = []] = await waited(edge.parsed)
    await expect.poll(() => socket?.writableNeedDrain).toBe(true)
    for (let n = 0; n < 20; n++) expect((await fetch(`${edge.url}/plain`)).status).toBe(200)
    expect(requests?.length).toBeLessThan(count)
    let received = ''
    client.on('data', (piece) => {
      received += piece.toString().replaceAll(/x{10,}/g, 'x')
    })
    client.resume()
    await expect.poll(() => received.includes('"ok":true')).toBe(true)
    expect(numbersIn(received)).toEqual(upTo(count))
  })
})

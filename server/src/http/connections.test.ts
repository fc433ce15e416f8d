import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Type } from 'typebox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { open } from './access.ts'
import { receiveBody } from './input/read-body.ts'
import { type Route, route } from './route.ts'
import { type ProbeApp, serveProbes } from './testing/probe-app.ts'
import { Ok, probe, respondsOk } from './testing/probe-route.ts'
import { parseRaw, sendRaw } from './testing/raw-http.ts'

const anybody = { access: open('a probe'), alias: false } as const
const PLAIN = route({ ...probe, ...respondsOk, ...anybody, operation: 'plain', method: 'GET', path: '/plain' })

/** Receives notes and returns how many came before. */
function notes() {
  const taken: string[] = []
  let atOnce = 0
  let mostAtOnce = 0
  const take = route({
    ...probe,
    ...anybody,
    operation: 'takeNote',
    method: 'POST',
    path: '/notes',
    schema: { body: Type.Object({ note: Type.String() }), response: { 200: Type.Object({ before: Type.Integer() }) } },
    handler: async ({ body }) => {
      mostAtOnce = Math.max(mostAtOnce, ++atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce--
      return { status: 200, body: { before: taken.push(body.note) - 1 } }
    },
  })
  return { take, taken, mostAtOnce: () => mostAtOnce }
}

async function serving(routes: readonly Route[], around?: Parameters<typeof serveProbes>[1]): Promise<ProbeApp> {
  const edge = await serveProbes(routes, around)
  onTestFinished(() => edge.close())
  return edge
}

function post(path: string, body: string, ...more: string[]): string {
  const headers = ['Host: x', 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, ...more]
  return `POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

const CHUNKED = 'Host: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n'
const GET_AND_CLOSE = 'GET /plain HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

async function until(socket: Socket, text: string): Promise<string> {
  let received = ''
  while (!received.includes(text)) received += (await once(socket, 'data'))[0]
  return received
}

describe('pipelined requests', () => {
  test('are handled one after the other, in order', async () => {
    const { take, taken, mostAtOnce } = notes()
    const edge = await serving([take, PLAIN])
    const wanted = Array.from({ length: 20 }, (_, at) => `n${at}`)
    const text = wanted.map((note) => post('/notes', JSON.stringify({ note }))).join('')
    const received = await sendRaw(edge.port, text + GET_AND_CLOSE)
    expect(statuses(received)).toEqual(Array(21).fill(200))
    expect([...received.matchAll(/"before":(\d+)/g)].map(([, n]) => Number(n))).toEqual(wanted.map((_, at) => at))
    expect([taken, mostAtOnce()]).toEqual([wanted, 1])
  })

  test('do not start while the client does not read', async () => {
    let begun = 0
    const large = route({
      ...probe,
      ...anybody,
      operation: 'large',
      method: 'GET',
      path: '/large',
      schema: { response: { 200: Type.String() } },
      contentType: 'text/plain; charset=utf-8',
      handler: async () => {
        begun++
        return { status: 200, body: 'x'.repeat(4_000_000) }
      },
    })
    const edge = await serving([large, PLAIN])
    const socket = connect(edge.port, '127.0.0.1').pause()
    onTestFinished(() => void socket.destroy())
    socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(500))
    await expect.poll(() => begun).toBeGreaterThan(0)
    // Meanwhile 50 other requests are served: enough turns for all pipelined requests to start if nothing held them
    // back.
    for (let n = 0; n < 50; n++) expect((await fetch(`${edge.url}/plain`)).status).toBe(200)
    expect(begun).toBeLessThan(50)
  })
})

describe('CONNECT', () => {
  test('does not end the process if a reset follows', async () => {
    const edge = await serving([PLAIN])
    for (let n = 0; n < 30; n++) {
      const socket = connect(edge.port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write('CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n')
      socket.resetAndDestroy()
    }
    expect((await fetch(`${edge.url}/plain`)).status).toBe(200)
  })

  test('does not lose the response to an earlier request', async () => {
    const edge = await serving([PLAIN])
    const text = 'GET /plain HTTP/1.1\r\nHost: x\r\n\r\nCONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n'
    expect(statuses(await sendRaw(edge.port, text))).toEqual([200, 405])
  })
})

describe('a target that is an absolute URL', () => {
  test.each(['http://x/plain', 'HTTP://x/plain?q=1', 'https://elsewhere.example/plain'])('%s', async (target) => {
    const edge = await serving([PLAIN])
    const result = await sendRaw(edge.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(parseRaw(result).status).toBe(200)
  })
})

describe('Expect: 100-continue', () => {
  const EXPECT = 'Expect: 100-continue'

  test('100 Continue is sent when the body is about to be read', async () => {
    const { take, taken } = notes()
    const edge = await serving([take, PLAIN])
    const socket = connect(edge.port, '127.0.0.1')
    const [head, body] = [post('/notes', '{"note":"a"}', EXPECT).slice(0, -12), '{"note":"a"}']
    socket.write(head)
    expect(statuses(await until(socket, '\r\n\r\n'))).toEqual([100])
    socket.write(body)
    expect(statuses(await until(socket, '"before":0'))).toEqual([200])
    socket.destroy()
    expect(taken).toEqual(['a'])
  })

  test.each([
    ['an unknown path', '/nowhere', 12, 404],
    ['a body that is too large', '/notes', 20_000_000, 413],
  ])('no 100 Continue for %s, and the connection ends', async (_, path, length, status) => {
    const edge = await serving([notes().take])
    const head = post(path, '', EXPECT).replace('Content-Length: 0', `Content-Length: ${length}`)
    const received = await sendRaw(edge.port, head)
    expect(statuses(received)).toEqual([status])
    expect(parseRaw(received).headers.get('connection')).toBe('close')
  })
})

describe('a body', () => {
  test.each([
    ['by its length', post('/notes', 'x'.repeat(2_000_000))],
    ['in chunks', `POST /notes HTTP/1.1\r\n${CHUNKED}\r\n1e8480\r\n${'x'.repeat(2_000_000)}\r\n0\r\n\r\n`],
  ])('that is too large %s is read to its end, and the connection stays open', async (_, text) => {
    const edge = await serving([notes().take, PLAIN])
    expect(statuses(await sendRaw(edge.port, text + GET_AND_CLOSE))).toEqual([413, 200])
  })

  test('that never ends is cut off', async () => {
    const edge = await serving([notes().take])
    const socket = connect(edge.port, '127.0.0.1')
    socket.on('error', () => {})
    const received = until(socket, '\r\n\r\n')
    socket.write(`POST /notes HTTP/1.1\r\n${CHUNKED}\r\n`)
    const chunk = `100000\r\n${'x'.repeat(1_048_576)}\r\n`
    for (let n = 0; n < 20 && socket.writable; n++) socket.write(chunk)
    const result = parseRaw(await received)
    expect([result.status, result.headers.get('connection')]).toEqual([413, 'close'])
    socket.destroy()
  })

  test('that is cut off counts as one request that the client abandoned', async () => {
    const edge = await serving([notes().take])
    const socket = connect(edge.port, '127.0.0.1')
    socket.write(post('/notes', '{"note":"a"}', 'Expect: 100-continue').slice(0, -3))
    await until(socket, '100 Continue')
    socket.resetAndDestroy()
    await expect.poll(() => edge.observed).toEqual([{ operation: 'takeNote', status: 499 }])
    expect(edge.logLines).toHaveLength(1)
  })

  test.each([
    ['closes the connection', (socket: Socket) => void socket.destroy()],
    ['ends the connection', (socket: Socket) => void socket.end()],
    ['resets the connection', (socket: Socket) => void socket.resetAndDestroy()],
  ])('whose client %s half-way is rejected', async (_, stop) => {
    const received = Promise.withResolvers<unknown>()
    const server = createServer((request) => {
      receiveBody(request, 1_000).then((body) => received.resolve(body.toString()), received.reject)
      socket.write('{"note":', () => stop(socket))
    })
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(post('/notes', '{"note":"a"}').split('{')[0] ?? '')
    await expect(received.promise).rejects.toMatchObject({ type: 'invalid_request' })
  })

  test('that becomes invalid HTTP gets an error with the id of its request, and one log line', async () => {
    const edge = await serving([notes().take])
    const received = parseRaw(await sendRaw(edge.port, `POST /notes HTTP/1.1\r\n${CHUNKED}\r\nzz\r\n`))
    expect(received.status).toBe(400)
    await expect.poll(() => edge.observed).toEqual([{ operation: 'takeNote', status: 400 }])
    expect(edge.logLines).toHaveLength(1)
    expect(JSON.parse(edge.logLines[0] ?? '')).toMatchObject({
      request_id: received.headers.get('x-request-id'),
      operation: 'takeNote',
      status: 400,
      error_type: 'invalid_request',
    })
  })

  test('that becomes invalid HTTP after the response gets no second response', async () => {
    const edge = await serving([PLAIN])
    const socket = connect(edge.port, '127.0.0.1')
    let received = ''
    socket.on('data', (piece) => {
      received += piece
    })
    socket.write(`POST /nowhere HTTP/1.1\r\n${CHUNKED}\r\n`)
    await expect.poll(() => statuses(received)).toEqual([404])
    const closed = once(socket, 'close')
    socket.write('zz\r\n')
    await closed
    expect(statuses(received)).toEqual([404])
  })

  test('of a rejected request is not read as the next request', async () => {
    const edge = await serving([notes().take, PLAIN])
    const body = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
    const rejected = post('/notes', body).replace('application/json', 'text/plain')
    expect(statuses(await sendRaw(edge.port, rejected + GET_AND_CLOSE))).toEqual([415, 200])
  })
})

describe('an HTTP/1.0 connection', () => {
  test.each([
    ['is closed after its response', '', 'close'],
    ['stays open if the client requests keep-alive', 'Connection: keep-alive\r\n', 'keep-alive'],
  ])('%s', async (_, header, connection) => {
    const edge = await serving([PLAIN])
    const socket = connect(edge.port, '127.0.0.1')
    socket.write(`GET /plain HTTP/1.0\r\n${header}\r\n`)
    const result = parseRaw(await until(socket, '}'))
    expect([result.status, result.headers.get('connection')]).toEqual([200, connection])
    socket.destroy()
  })
})

describe('a response that cannot be sent', () => {
  const answering = (headers: Record<string, string>) =>
    route({
      ...probe,
      ...anybody,
      operation: 'wrong',
      method: 'GET',
      path: '/wrong',
      schema: { response: { 200: Ok } },
      handler: async () => ({ status: 200, body: { ok: true }, headers }),
    })

  test.each([
    ['a character that is not allowed in a header', { Location: '/€' }],
    ['the end of a line', { Location: '/a\r\nSet-Cookie: b=c' }],
    ['an invalid header name', { 'X Y': 'a' }],
  ])('for %s is a 500 without any part of the response', async (_, headers) => {
    const edge = await serving([answering({ ETag: '"1"', 'Cache-Control': 'public', ...headers })])
    const response = await fetch(`${edge.url}/wrong`)
    expect(response.status).toBe(500)
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    expect([response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([null, 'no-store'])
    expect(response.headers.get('set-cookie')).toBeNull()
  })
})

describe('closing', () => {
  test('closing the server does not wait for a connection without any request', async () => {
    const edge = await serving([PLAIN])
    const silent = connect(edge.port, '127.0.0.1')
    await once(silent, 'connect')
    await fetch(`${edge.url}/plain`)
    const ended = once(silent, 'close')
    await edge.app.close()
    await ended
    expect(silent.destroyed).toBe(true)
  })
})

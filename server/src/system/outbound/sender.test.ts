import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { OutboundLimits } from './limits.ts'
import { type OutboundSender, outboundSender } from './sender.ts'
import { PATIENT_LIMITS } from './testing/patient-limits.ts'
import { type RawReceiver, rawReceiver } from './testing/raw-receiver.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const JSON_BODY = Buffer.from('{"a":"é"}')
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** Short, for tests that wait until the limit is over. */
const SOON = { totalMs: 200, bodyMs: 200, tickMs: 20 }

function newSender(limits: Partial<OutboundLimits> = {}): OutboundSender {
  const sender = outboundSender({
    addressPolicy: { loopback: true, ranges: [] },
    limits: { ...PATIENT_LIMITS, ...limits },
  })
  closing.push(sender.close)
  return sender
}

async function receiver(behave: (socket: Socket, nth: number) => void): Promise<RawReceiver> {
  const made = await rawReceiver(behave)
  closing.push(made.close)
  return made
}

const post = (sender: OutboundSender, url: string) => sender.send({ url, headers: {}, body: JSON_BODY })

describe('an answer', () => {
  test('has its status, its body and its duration; the request arrives byte for byte', async () => {
    const { url, requests } = await receiver((socket) => socket.write(OK))
    const headers = { 'content-type': 'application/json', 'Webhook-Id': 'dlv_1' }
    const outcome = await newSender().send({ url: `${url}?a=b`, headers, body: JSON_BODY })
    expect(outcome).toEqual({ kind: 'answered', status: 200, bodyStart: 'ok', durationMs: expect.any(Number) })
    expect(requests[0]).toMatch(/^POST \/hook\?a=b HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\nconnection: keep-alive\r\n/)
    expect(requests[0]).toContain('content-type: application/json\r\nWebhook-Id: dlv_1\r\n')
    expect(requests[0]?.endsWith(`content-length: 10\r\n\r\n${JSON_BODY.toString('latin1')}`)).toBe(true)
  })

  test.each([204, 400, 404, 410, 429, 500, 503])('%d is an answer', async (status) => {
    const { url } = await receiver((socket) => socket.write(`HTTP/1.1 ${status} x\r\ncontent-length: 0\r\n\r\n`))
    expect(await post(newSender(), url)).toMatchObject({ kind: 'answered', status, bodyStart: '' })
  })

  test('returns Retry-After in seconds', async () => {
    const { url } = await receiver((socket) =>
      socket.write('HTTP/1.1 503 x\r\nretry-after: 30\r\ncontent-length: 0\r\n\r\n'),
    )
    expect(await post(newSender(), url)).toMatchObject({ status: 503, retryAfterSeconds: 30 })
  })

  test('is accepted from a receiver that responds in HTTP/1.0 and closes the connection', async () => {
    const { url } = await receiver((socket) => socket.end('HTTP/1.0 202 Accepted\r\n\r\nwelcome'))
    expect(await post(newSender(), url)).toMatchObject({ status: 202, bodyStart: 'welcome' })
  })
})

describe('redirects are never followed', () => {
  test.each([301, 302, 303, 307, 308])('%d is the outcome, and no second request is sent', async (status) => {
    const elsewhere = await receiver((socket) => socket.write(OK))
    const { url } = await receiver((socket) =>
      socket.write(`HTTP/1.1 ${status} x\r\nlocation: ${elsewhere.url}\r\ncontent-length: 0\r\n\r\n`),
    )
    expect(await post(newSender(), url)).toMatchObject({ kind: 'answered', status })
    expect(elsewhere.connections.made).toBe(0)
  })
})

describe('too much', () => {
  test('a body of 16 KiB is read, its first 1 KiB is stored, and the connection is used again', async () => {
    const body = 'x'.repeat(16 * 1_024)
    const server = await receiver((socket) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 16384\r\n\r\n${body}`))
    const sender = newSender()
    expect(await post(sender, server.url)).toMatchObject({ status: 200, bodyStart: 'x'.repeat(1_024) })
    await post(sender, server.url)
    expect(server.connections.made).toBe(1)
  })

  test('a body without end is cut: the status counts, the connection is closed', async () => {
    const server = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const more = () => socket.write(`1000\r\n${'y'.repeat(4_096)}\r\n`, (error) => error ?? more())
      more()
    })
    expect(await post(newSender(), server.url)).toMatchObject({ status: 200, bodyStart: 'y'.repeat(1_024) })
    await server.allGone()
  })

  test('headers of more than 16 KiB, in one header or in many: connection_failed', async () => {
    const one = await receiver((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`))
    const many = await receiver((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\n${'x-header: some value\r\n'.repeat(1_000)}\r\n`),
    )
    expect(await post(newSender(), one.url)).toMatchObject({ kind: 'failed', why: 'connection_failed' })
    expect(await post(newSender(), many.url)).toMatchObject({ kind: 'failed', why: 'connection_failed' })
    await Promise.all([one.allGone(), many.allGone()])
  })

  test('interim responses without end: connection_failed', async () => {
    const server = await receiver((socket) =>
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(100)),
    )
    expect(await post(newSender(), server.url)).toMatchObject({ kind: 'failed', why: 'connection_failed' })
    await server.allGone()
  })

  test('a few interim answers before the response are accepted', async () => {
    const { url } = await receiver((socket) => socket.write(`${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(3)}${OK}`))
    expect(await post(newSender(), url)).toMatchObject({ status: 200 })
  })

  test('a status line without end is cut off by its number of bytes, long before the time limit', async () => {
    const server = await receiver((socket) => {
      socket.write('HTTP/1.1 200 ')
      const more = () => socket.write('z'.repeat(65_536), (error) => error ?? more())
      more()
    })
    const sender = newSender({ totalMs: 3_600_000 })
    expect(await post(sender, server.url)).toMatchObject({ kind: 'failed', why: 'connection_failed' })
    await server.allGone()
  })

  test('a compressed response is not requested, not unpacked and not shown', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1_024 * 1_024))
    const server = await receiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    })
    const sender = newSender()
    expect(await post(sender, server.url)).toMatchObject({ status: 200, bodyStart: '' })
    expect(await post(sender, server.url)).toMatchObject({ status: 200, bodyStart: '' })
    expect(server.connections.made).toBe(1)
    expect(server.requests[0]).not.toMatch(/accept-encoding/i)
  })
})

describe('too slow', () => {
  test('a missing response is a timeout, and the connection is closed', async () => {
    const server = await receiver(() => {})
    expect(await post(newSender(SOON), server.url)).toMatchObject({ kind: 'failed', why: 'timeout' })
    await server.allGone()
  })

  test('headers that keep arriving do not extend the time limit', async () => {
    const server = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      drip(socket, 'x: y\r\n')
    })
    expect(await post(newSender(SOON), server.url)).toMatchObject({ kind: 'failed', why: 'timeout' })
    await server.allGone()
  })

  test('repeated interim responses do not extend the time limit', async () => {
    const server = await receiver((socket) => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n'))
    const sender = newSender({ ...SOON, interimMax: 1_000_000 })
    expect(await post(sender, server.url)).toMatchObject({ kind: 'failed', why: 'timeout' })
    await server.allGone()
  })

  test('a body that arrives too slowly is cut: the status counts', async () => {
    const server = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10000\r\n\r\nab')
      drip(socket, 'c')
    })
    const outcome = await post(newSender({ ...SOON, totalMs: 3_600_000 }), server.url)
    expect(outcome).toMatchObject({ status: 200, bodyStart: expect.stringMatching(/^abc*$/) })
    await server.allGone()
  })

  test('requests without a response delay no other request, not even to the same address', async () => {
    const server = await receiver((socket, nth) => {
      if (nth > 50) socket.write(OK)
    })
    const sender = newSender({ ...SOON, totalMs: 3_600_000 })
    const abandoned = new AbortController()
    const hanging = Array.from({ length: 50 }, () =>
      sender.send({ url: server.url, headers: {}, body: '', signal: abandoned.signal }).catch(String),
    )
    while (server.requests.length < 50) await nextTurn()
    expect(await post(sender, server.url)).toMatchObject({ status: 200 })
    abandoned.abort(new Error('enough'))
    expect(new Set(await Promise.all(hanging))).toEqual(new Set(['Error: enough']))
  })
})

describe('connections that break', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['reset', (socket) => socket.resetAndDestroy()],
    ['closed without a response', (socket) => socket.destroy()],
    ['half closed without a response', (socket) => socket.end()],
    ['half closed in the middle of the headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nx: ')],
    ['something that is not HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
    ['unrequested HTTP 2', (socket) => socket.end(Buffer.from('000012040000000000', 'hex'))],
    [
      'an unrequested upgrade',
      (socket) => socket.write('HTTP/1.1 101 x\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
    ],
    ['100 and nothing else', (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n')],
  ])('%s: connection_failed', async (_, behave) => {
    const server = await receiver(behave)
    expect(await post(newSender(), server.url)).toMatchObject({ kind: 'failed', why: 'connection_failed' })
  })

  test.each<[string, (socket: Socket) => void]>([
    [
      'reset',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc', () => socket.resetAndDestroy()),
    ],
    ['half closed', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc')],
    [
      'broken chunks',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n'),
    ],
  ])('%s after the status: the status counts', async (_, behave) => {
    const server = await receiver(behave)
    expect(await post(newSender(), server.url)).toMatchObject({ kind: 'answered', status: 200 })
  })

  test('no listener: connection_failed', async () => {
    const server = await rawReceiver(() => {})
    await server.close()
    expect(await post(newSender(), server.url)).toMatchObject({ kind: 'failed', why: 'connection_failed' })
  })

  test('after a failure the next request gets a new connection', async () => {
    const server = await receiver((socket, nth) => (nth === 1 ? socket.resetAndDestroy() : socket.write(OK)))
    const sender = newSender()
    expect(await post(sender, server.url)).toMatchObject({ kind: 'failed' })
    expect(await post(sender, server.url)).toMatchObject({ status: 200 })
  })

  test('bytes after a response are not read as the next response', async () => {
    const server = await receiver((socket, nth) =>
      socket.write(nth === 1 ? `${OK}HTTP/1.1 500 smuggled\r\ncontent-length: 0\r\n\r\n` : OK),
    )
    const sender = newSender()
    expect(await post(sender, server.url)).toMatchObject({ status: 200 })
    expect(await post(sender, server.url)).toMatchObject({ status: 200 })
    expect(server.connections.made).toBe(2)
  })
})

describe('kept-alive connections', () => {
  test('are reused, and are as many as there are concurrent requests', async () => {
    const server = await receiver((socket) => socket.write(OK))
    const sender = newSender()
    const lanes = Array.from({ length: 5 }, async () => {
      for (let sent = 0; sent < 20; sent += 1) expect(await post(sender, server.url)).toMatchObject({ status: 200 })
    })
    await Promise.all(lanes)
    expect(server.requests).toHaveLength(100)
    expect(server.connections.made).toBe(5)
  })

  test('are closed at the end of their lifetime', async () => {
    const server = await receiver((socket) => socket.write(OK))
    const sender = newSender({ connectionLifeMs: -1 })
    for (let sent = 0; sent < 3; sent += 1) await post(sender, server.url)
    expect(server.connections.made).toBe(3)
  })

  test('are closed after an idle time', async () => {
    const server = await receiver((socket) => socket.write(OK))
    await post(newSender({ unusedConnectionMs: 30, tickMs: 10 }), server.url)
    await server.allGone()
    expect(server.connections).toEqual({ made: 1, open: 0 })
  })

  test('are bounded over all origins', async () => {
    const servers = await Promise.all(Array.from({ length: 4 }, () => receiver((socket) => socket.write(OK))))
    const sender = newSender({ unusedConnectionsMax: 2 })
    for (const { url } of servers) await post(sender, url)
    await Promise.all(servers.slice(2).map((server) => server.allGone()))
    expect(servers.map(({ connections }) => connections.open)).toEqual([1, 1, 0, 0])
  })

  test('that the receiver closed while unused are opened again', async () => {
    const server = await receiver((socket, nth) => (nth === 1 ? socket.end(OK) : socket.write(OK)))
    const sender = newSender()
    await post(sender, server.url)
    await server.allGone()
    expect(await post(sender, server.url)).toMatchObject({ status: 200 })
  })
})

test('many requests at once to broken receivers each get an outcome, and no connection stays open', async () => {
  const misdeeds: ((socket: Socket) => void)[] = [
    (socket) => socket.write(OK),
    (socket) => socket.end(OK),
    (socket) => socket.resetAndDestroy(),
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'),
    (socket) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n${'x'.repeat(99_999)}`),
    (socket) => socket.write('HTTP/1.1 103 x\r\n\r\n'.repeat(20)),
    (socket) => socket.write(`${OK}${OK}`),
    (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(9_000)}`),
    (socket) => socket.write('nonsense'),
    () => {},
  ]
  const server = await receiver((socket, nth) => misdeeds[nth % misdeeds.length]?.(socket))
  const sender = newSender({ ...SOON, totalMs: 500 })
  const lanes = Array.from({ length: 40 }, async () => {
    const kinds: string[] = []
    for (let sent = 0; sent < 15; sent += 1) kinds.push((await post(sender, server.url)).kind)
    return kinds
  })
  const kinds = (await Promise.all(lanes)).flat()
  expect(kinds).toHaveLength(600)
  expect(new Set(kinds)).toEqual(new Set(['answered', 'failed']))
  await sender.close()
  await server.allGone()
})

describe('an aborted request', () => {
  test('rejects with the reason, at once, and closes the connection', async () => {
    const server = await receiver(() => {})
    const giveUp = new AbortController()
    const sent = newSender().send({ url: server.url, headers: {}, body: '', signal: giveUp.signal })
    while (server.requests.length === 0) await nextTurn()
    giveUp.abort(new Error('the worker stops'))
    await expect(sent).rejects.toThrow('the worker stops')
    await server.allGone()
  })

  test('resolves with a status that is already known, so that the next worker does not send the request again', async () => {
    const server = await receiver((socket, nth) =>
      socket.write(nth === 1 ? 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc' : OK),
    )
    const sender = newSender()
    const giveUp = new AbortController()
    const sent = sender.send({ url: server.url, headers: {}, body: '', signal: giveUp.signal })
    while (server.requests.length === 0) await nextTurn()
    // The receiver wrote this second response after the first status, so the sender has read the first status too.
    expect(await post(sender, server.url)).toMatchObject({ bodyStart: 'ok' })
    giveUp.abort(new Error('the worker stops'))
    expect(await sent).toMatchObject({ status: 200, bodyStart: 'abc' })
    await sender.close()
    await server.allGone()
  })

  test('sends nothing if it is aborted before it starts', async () => {
    const server = await receiver((socket) => socket.write(OK))
    const sent = newSender().send({
      url: server.url,
      headers: {},
      body: '',
      signal: AbortSignal.abort(new Error('no')),
    })
    await expect(sent).rejects.toThrow('no')
    expect(server.connections.made).toBe(0)
  })

  test('closing the sender waits for running requests, and rejects later requests', async () => {
    const server = await receiver(() => {})
    const sender = newSender()
    const sent = post(sender, server.url)
    while (server.requests.length === 0) await nextTurn()
    const closed = sender.close()
    await expect(post(sender, server.url)).rejects.toThrow('the sender is closed')
    await server.close()
    expect(await sent).toMatchObject({ kind: 'failed' })
    await closed
  })

  test('a header that cannot be sent is a bug of the caller, not an outcome', async () => {
    const server = await receiver((socket) => socket.write(OK))
    const sent = newSender().send({ url: server.url, headers: { 'x-a': 'b\r\nx-c: d' }, body: '' })
    await expect(sent).rejects.toThrow(/header/)
    expect(server.requests).toHaveLength(0)
  })
})

function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 5)
  socket.once('close', () => clearInterval(timer))
}

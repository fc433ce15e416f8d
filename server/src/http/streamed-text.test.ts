import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import { open } from './access.ts'
import { StreamedText, type Write } from './response-bodies.ts'
import { route } from './route.ts'
import { streamedBody } from './schema-fields.ts'
import { type ProbeApp, serveProbes } from './testing/probe-app.ts'
import { probe } from './testing/probe-route.ts'

const streaming = (produce: (write: Write) => Promise<void>, takenWithinMs?: number) =>
  route({
    ...probe,
    operation: 'stream',
    method: 'GET',
    path: '/stream',
    access: open('a probe'),
    contentType: 'text/csv; charset=utf-8',
    schema: { response: { 200: streamedBody('Lines.') } },
    handler: async () => ({
      status: 200,
      body: new StreamedText(produce, takenWithinMs),
      headers: { 'X-Told': 'yes' },
    }),
  })

async function serving(produce: (write: Write) => Promise<void>, takenWithinMs?: number): Promise<ProbeApp> {
  const edge = await serveProbes([streaming(produce, takenWithinMs)])
  onTestFinished(() => edge.close())
  return edge
}

/** A client that sends its request and reads only as much as the test asks for. */
function client({ port }: ProbeApp) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n')
  return socket
}

const PIECE = 'x'.repeat(100_000)

describe('a response in pieces', () => {
  test('arrives in full, with the usual headers', async () => {
    const edge = await serving(async (write) => {
      for (const piece of ['a,b\r\n', 'é,2\r\n']) await write(piece)
    })
    const response = await fetch(`${edge.url}/stream`)
    expect(await response.text()).toBe('a,b\r\né,2\r\n')
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect([response.headers.get('x-told'), response.headers.get('x-request-id')]).toEqual([
      'yes',
      expect.stringMatching(/^req_/),
    ])
  })

  test('without pieces is empty', async () => {
    const response = await fetch(`${(await serving(async () => {})).url}/stream`)
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  test('that fails before its first piece is an ordinary error', async () => {
    const edge = await serving(async () => {
      throw new ApiError('unavailable', { public: 'Not now.' })
    })
    const response = await fetch(`${edge.url}/stream`)
    expect([response.status, ((await response.json()) as { error: { type: string } }).error.type]).toEqual([
      503,
      'unavailable',
    ])
  })

  test('that fails later is cut off, so that no client reads it as complete', async () => {
    const edge = await serving(async (write) => {
      await write('half')
      throw new Error('gone')
    })
    await expect(fetch(`${edge.url}/stream`).then((response) => response.text())).rejects.toThrow()
    await expect.poll(() => edge.logLines.join('')).toContain('a response was cut off')
  })

  test('waits while the client does not read, and continues when the client reads again', async () => {
    let written = 0
    const edge = await serving(async (write) => {
      for (; written < 300; written++) await write(PIECE)
    })
    const socket = client(edge)
    await once(socket, 'readable')
    // Buffers between server and client fill up first. The server has stopped when two checks in a row find the same amount.
    let before = -1
    await expect
      .poll(
        () => {
          const [last, now] = [before, written]
          before = now
          return now > 0 && now === last && now < 300
        },
        { interval: 100 },
      )
      .toBe(true)
    socket.resume()
    await expect.poll(() => written).toBe(300)
  })

  test('stops when the client closes the connection, and is not logged as cut off', async () => {
    const ended = Promise.withResolvers<unknown>()
    const edge = await serving(async (write) => {
      try {
        for (;;) await write(PIECE)
      } catch (error) {
        ended.resolve(error)
        throw error
      }
    })
    const socket = client(edge)
    await once(socket, 'readable')
    socket.destroy()
    expect(await ended.promise).toBeInstanceOf(Error)
    await expect.poll(() => edge.logLines.join('')).toContain('"aborted":true')
    expect(edge.logLines.join('')).not.toContain('was cut off')
    expect(edge.observed).toEqual([{ operation: 'stream', status: 200 }])
  })

  test('is cut off after its time limit, even if the client reads steadily', async () => {
    const ended = Promise.withResolvers<unknown>()
    const edge = await serving(async (write) => {
      try {
        for (;;) await write(PIECE)
      } catch (error) {
        ended.resolve(error)
        throw error
      }
    }, 100)
    const socket = client(edge)
    socket.resume()
    expect(await ended.promise).toBeInstanceOf(Error)
    await once(socket, 'close')
    expect(edge.logLines.join('')).not.toContain('was cut off')
  })

  test.each(['text/csv; charset=utf-8', 'application/json; charset=utf-8'] as const)(
    'cannot come from a transaction: a server with such a %s route does not start',
    async (contentType) => {
      const wrong = { ...streaming(async () => {}), contentType, work: 'platform' as const }
      await expect(serveProbes([{ ...wrong, access: { kind: 'session', required: true, why: '' } }])).rejects.toThrow(
        'must be a handler: it sends its response in pieces',
      )
    },
  )
})

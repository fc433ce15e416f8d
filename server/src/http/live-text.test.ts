import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStream } from '#test/event-source.ts'
import { open } from './access.ts'
import { type LiveClient, LiveText } from './response-bodies.ts'
import { route } from './route.ts'
import { liveBody } from './schema-fields.ts'
import { type ProbeApp, serveProbes } from './testing/probe-app.ts'
import { probe } from './testing/probe-route.ts'

/** The calls that the edge made to the writer of one response. */
type Writer = { readonly client: LiveClient; readonly calls: string[] }

async function serving(): Promise<{ readonly edge: ProbeApp; readonly writers: Writer[] }> {
  const writers: Writer[] = []
  const live = route({
    ...probe,
    operation: 'live',
    method: 'GET',
    path: '/live',
    access: open('a probe'),
    contentType: 'text/event-stream',
    schema: { response: { 200: liveBody('Blocks.') } },
    handler: async () => ({
      status: 200,
      body: new LiveText((client) => {
        const calls: string[] = []
        writers.push({ client, calls })
        client.write('data: begin\n\n')
        return {
          drained: () => calls.push('drained'),
          ended: (why) => {
            calls.push(why)
            if (why !== 'closing') return
            client.write('event: end\ndata: closing\n\n')
            client.end()
          },
          line: () => ({ events: 7 }),
        }
      }),
    }),
  })
  const edge = await serveProbes([live])
  onTestFinished(() => edge.close())
  return { edge, writers }
}

async function reading(edge: ProbeApp, method = 'GET') {
  const stream = await openStream(`${edge.url}/live`, { method })
  onTestFinished(() => stream.close())
  return stream
}

describe('a live response', () => {
  test('arrives while it is written, uncompressed and not cacheable, as the last response of its connection', async () => {
    const { edge, writers } = await serving()
    const stream = await reading(edge)
    await expect.poll(() => stream.blocks).toEqual([{ data: 'begin' }])
    writers[0]?.client.write('data: more\n\n')
    await expect.poll(() => stream.blocks).toEqual([{ data: 'begin' }, { data: 'more' }])
    expect(stream.headers).toMatchObject({
      ...{ 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'close' },
      'x-request-id': expect.stringMatching(/^req_/),
    })
    expect(stream.headers['content-encoding']).toBeUndefined()
    expect(stream.isOver()).toBe(false)
  })

  test('when the client disconnects, the writer is notified and the log has one line', async () => {
    const { edge, writers } = await serving()
    const stream = await reading(edge)
    await expect.poll(() => stream.blocks.length).toBe(1)
    expect(edge.logLines).toEqual([])
    stream.close()
    await expect.poll(() => writers[0]?.calls).toEqual(['gone'])
    await expect
      .poll(() => edge.logLines.map((line) => JSON.parse(line)))
      .toMatchObject([{ operation: 'live', events: 7 }])
  })

  test('ends when the server closes, and closing does not wait for a client that does not read', async () => {
    const { edge, writers } = await serving()
    const [stream, stalled] = [await reading(edge), await reading(edge)]
    await expect.poll(() => writers.length).toBe(2)
    stalled.pause()
    while (writers[1]?.client.write('x'.repeat(100_000)) === true);
    await edge.app.close()
    await expect.poll(() => stream.isOver()).toBe(true)
    expect(stream.blocks.at(-1)).toEqual({ event: 'end', data: 'closing' })
    expect(writers.map(({ calls }) => calls[0])).toEqual(['closing', 'closing'])
  })

  test('reports when the client’s buffer is full, and when it is drained', async () => {
    const { edge, writers } = await serving()
    const stream = await reading(edge)
    await expect.poll(() => writers.length).toBe(1)
    stream.pause()
    while (writers[0]?.client.write('x'.repeat(100_000)) === true);
    stream.resume()
    await expect.poll(() => writers[0]?.calls).toEqual(['drained'])
  })

  test('HEAD gets the headers, and no writer is started', async () => {
    const { edge, writers } = await serving()
    const stream = await reading(edge, 'HEAD')
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream'])
    await expect.poll(() => stream.isOver()).toBe(true)
    expect([stream.text(), writers]).toEqual(['', []])
  })

  test('is never followed by another response: later pipelined requests end with the connection', async () => {
    const { edge, writers } = await serving()
    const socket = connect(edge.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let text = ''
    socket.on('data', (piece) => (text += piece.toString()))
    socket.write('GET /live HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3))
    await expect.poll(() => writers.length).toBe(1)
    await expect.poll(() => text).toContain('data: begin')
    writers[0]?.client.end()
    await once(socket, 'close')
    expect([writers.length, text.match(/HTTP\/1\.1 200/g)?.length]).toEqual([1, 1])
  })
})

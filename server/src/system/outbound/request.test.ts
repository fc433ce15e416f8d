import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { destinations } from './judge-url.ts'
import { type OutboundRequest, type OutboundSender, outboundSender } from './sender.ts'
import { PATIENT_LIMITS } from './testing/patient-limits.ts'
import { type RawReceiver, rawReceiver } from './testing/raw-receiver.ts'

const REACH = { loopback: true, ranges: [] }
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function stage(): Promise<{ readonly server: RawReceiver; readonly sender: OutboundSender }> {
  const server = await rawReceiver((socket) => socket.write('HTTP/1.1 204 x\r\n\r\n'))
  const sender = outboundSender({ addressPolicy: REACH, limits: PATIENT_LIMITS })
  closing.push(server.close, sender.close)
  return { server, sender }
}

/** The request as the receiver read it, one character per byte. */
async function sent(request: Omit<OutboundRequest, 'url'>): Promise<string> {
  const { server, sender } = await stage()
  expect(await sender.send({ url: server.url, ...request })).toMatchObject({ status: 204 })
  return (server.requests[0] ?? '').replace(/host: \S+/, 'host: a')
}

describe('a request', () => {
  test('has its request line, headers, length and body, from text or bytes', async () => {
    const text = '{"a":"é😀"}'
    const head = 'POST /hook HTTP/1.1\r\nhost: a\r\nconnection: keep-alive\r\nx: y\r\ncontent-length: 14\r\n\r\n'
    const expected = head + Buffer.from(text).toString('latin1')
    expect(await sent({ headers: { x: 'y' }, body: text })).toBe(expected)
    expect(await sent({ headers: { x: 'y' }, body: Buffer.from(text) })).toBe(expected)
  })

  test('without a body has a length of zero', async () => {
    expect(await sent({ headers: {}, body: '' })).toMatch(/content-length: 0\r\n\r\n$/)
  })

  test('sends Latin-1 characters of a header as one byte each', async () => {
    expect(await sent({ headers: { x: 'é' }, body: '' })).toContain('x: é\r\n')
  })

  test.each(['a\r\nb: c', 'a\nb', 'a\rb', 'a\0b', 'a\x7fb', '日本'])('rejects the value %j', async (value) => {
    const { server, sender } = await stage()
    const refused = sender.send({ url: server.url, headers: { x: value }, body: '' })
    await expect(refused).rejects.toThrow('invalid x header')
    expect(await sender.send({ url: server.url, headers: {}, body: '' })).toMatchObject({ status: 204 })
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    ...['', 'a b', 'a:', 'a\r\nb', 'é', 'Host', 'content-length', 'Transfer-Encoding', 'connection', 'expect'],
    ...['upgrade', 'Keep-Alive', 'TE', 'trailer'],
  ])('rejects the name %j', async (name) => {
    const { server, sender } = await stage()
    await expect(sender.send({ url: server.url, headers: { [name]: 'x' }, body: '' })).rejects.toThrow('header')
    expect(server.requests).toHaveLength(0)
  })

  test('names the host with its port if it is not the default port', async () => {
    const { server, sender } = await stage()
    await sender.send({ url: `http://LOCALHOST:${server.port}/x%0d%0ay?q=%20`, headers: {}, body: '' })
    expect(server.requests[0]).toMatch(
      new RegExp(`^POST /x%0d%0ay\\?q=%20 HTTP/1\\.1\r\nhost: localhost:${server.port}\r\nconnection: keep-alive\r\n`),
    )
  })

  test('to an IPv6 address names it in brackets', async () => {
    const server = await rawReceiver((socket) => socket.write('HTTP/1.1 204 x\r\n\r\n'), '::1')
    const { sender } = await stage()
    closing.push(server.close)
    await sender.send({ url: server.url, headers: {}, body: '' })
    expect(server.requests[0]).toContain(`\r\nhost: [::1]:${server.port}\r\n`)
  })

  test.each(['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'])('goes through no proxy: %s', async (name) => {
    const proxy = await rawReceiver((socket) => socket.write('HTTP/1.1 502 x\r\ncontent-length: 0\r\n\r\n'))
    closing.push(proxy.close)
    const before = process.env[name]
    process.env[name] = `http://127.0.0.1:${proxy.port}`
    try {
      await sent({ headers: {}, body: '' })
    } finally {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    }
    expect(proxy.connections.made).toBe(0)
  })
})

describe('where a request goes', () => {
  const destinationOf = destinations(REACH)

  test('is the origin and the path; a URL with a fragment has no destination', () => {
    expect(destinationOf('https://a.example')).toMatchObject({ place: { origin: 'https://a.example' }, path: '/' })
    expect(destinationOf('https://a.example:8443/x%0d%0ay?q=%20#')).toBeNull()
    expect(destinationOf('http://[::1]:8080/')).toMatchObject({ place: { host: '::1', port: 8080, secure: false } })
  })

  test('has only visible characters, for any URL', () => {
    const part = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('utf16le'))
    fc.assert(
      fc.property(part, part, part, (name, path, query) => {
        for (const host of ['hooks.example.com', `${name}.example.com`]) {
          const destination = destinationOf(`https://${host}/${path}?${query}`)
          if (destination === null) continue
          expect(destination.path).toMatch(/^\/[\x21-\x7e]*$/)
          expect(destination.place.origin).toMatch(/^https:\/\/[\x21-\x7e]+$/)
        }
      }),
      { numRuns: 200 },
    )
  })
})

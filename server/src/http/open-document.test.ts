import { get } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rateLimited } from '#http/rate-limit.ts'
import { open } from './access.ts'
import { OpenDocument, openDocuments } from './open-document.ts'
import { StoredJson } from './response-bodies.ts'
import { type Route, route } from './route.ts'
import { countedAs } from './testing/counted.ts'
import { readError } from './testing/error-response.ts'
import { type ProbeApp, serveProbes } from './testing/probe-app.ts'
import { probe } from './testing/probe-route.ts'

const LONG = `<!doctype html>${'a public page; '.repeat(2_000)}`
let page = LONG

const html = {
  ...probe,
  method: 'GET',
  alias: false,
  access: open('a probe'),
  contentType: 'text/html; charset=utf-8',
  schema: { response: { 200: Type.String() } },
} as const
const PUBLIC = { 'Cache-Control': 'public, no-cache' }

const ROUTES: readonly Route[] = [
  route({
    ...html,
    operation: 'page',
    path: '/page',
    handler: async () => ({ status: 200, body: page, headers: PUBLIC }),
  }),
  route({
    ...html,
    operation: 'short',
    path: '/short',
    handler: async () => ({ status: 200, body: 'ok', headers: PUBLIC }),
  }),
  route({ ...html, operation: 'private', path: '/private', handler: async () => ({ status: 200, body: LONG }) }),
  route({
    ...probe,
    operation: 'document',
    method: 'GET',
    path: '/document.json',
    alias: false,
    access: open('a probe'),
    schema: { response: { 200: Type.Unknown() } },
    handler: async () => ({
      status: 200,
      body: new StoredJson(Buffer.from(JSON.stringify({ page: LONG }))),
      headers: PUBLIC,
    }),
  }),
]

let edge: ProbeApp
beforeAll(async () => {
  edge = await serveProbes(ROUTES)
})
afterAll(() => edge.close())

type Raw = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

/** The response as it was sent: `fetch` would decompress it. */
function raw(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    get(`${edge.url}${path}`, { headers, method }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string | undefined>,
          body: Buffer.concat(pieces),
        }),
      )
    }).on('error', reject)
  })
}

describe('a public page or document', () => {
  test.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0.1, gzip', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
    ['*;q=0.5, br;q=0', 'gzip', gunzipSync],
  ])('is compressed for Accept-Encoding: %s with %s', async (accepted, encoding, decompress) => {
    for (const path of ['/page', '/document.json']) {
      const { status, headers, body } = await raw(path, { 'accept-encoding': accepted })
      expect([status, headers['content-encoding'], headers['vary']]).toEqual([200, encoding, 'Accept-Encoding'])
      expect(headers['content-length']).toBe(String(body.length))
      expect(body.length).toBeLessThan(LONG.length / 10)
      expect(decompress(body).toString()).toContain(LONG)
    }
  })

  test.each([undefined, '', 'identity', 'br;q=0, gzip;q=0', 'compress'])(
    'is not compressed for Accept-Encoding: %s',
    async (accepted) => {
      const { headers, body } = await raw('/page', accepted === undefined ? {} : { 'accept-encoding': accepted })
      expect([headers['content-encoding'], headers['vary']]).toEqual([undefined, 'Accept-Encoding'])
      expect(body.toString()).toBe(LONG)
    },
  )

  test('has the same ETag in all encodings, and gives 304 without a body while it is unchanged', async () => {
    const { headers } = await raw('/page')
    const etag = headers['etag'] ?? ''
    expect([etag.slice(0, 3), headers['cache-control']]).toEqual(['W/"', 'public, no-cache'])
    expect((await raw('/page', { 'accept-encoding': 'br' })).headers['etag']).toBe(etag)
    for (const sent of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const same = await raw('/page', { 'if-none-match': sent, 'accept-encoding': 'br' })
      expect([same.status, same.body.length, same.headers['etag'], same.headers['vary']]).toEqual([
        304,
        0,
        etag,
        'Accept-Encoding',
      ])
      expect(same.headers['content-encoding']).toBeUndefined()
    }
    expect((await raw('/page', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('has another ETag when its content has changed', async () => {
    const before = (await raw('/page')).headers['etag'] ?? ''
    page = LONG.toUpperCase()
    try {
      const after = await raw('/page', { 'if-none-match': before })
      expect([after.status, after.body.toString()]).toEqual([200, page])
      expect(after.headers['etag']).not.toBe(before)
    } finally {
      page = LONG
    }
  })

  test('is not compressed if it is short, and a HEAD has the headers of the GET', async () => {
    expect((await raw('/short', { 'accept-encoding': 'br' })).headers['content-encoding']).toBeUndefined()
    const head = await raw('/page', { 'accept-encoding': 'br' }, 'HEAD')
    expect([head.status, head.headers['content-encoding'], head.body.length]).toEqual([200, 'br', 0])
  })

  test('has no ETag and is not cached if it is not public', async () => {
    const { headers } = await raw('/private', { 'accept-encoding': 'br' })
    expect([headers['etag'], headers['cache-control'], headers['content-encoding']]).toEqual([
      undefined,
      'no-store',
      undefined,
    ])
  })

  test('is counted before it is rendered, and can give 429', async () => {
    let made = 0
    const counted = await serveProbes(
      [route({ ...html, operation: 'made', path: '/made', handler: async () => ({ status: 200, body: `${++made}` }) })],
      {
        ports: {
          limit: {
            of: () => (sent) =>
              countedAs(sent, {
                requireAllowed: () => {
                  throw rateLimited({ limit: 1, periodSeconds: 60, resetAt: 60, retryAfterSeconds: 1 })
                },
              }),
          },
        },
      },
    )
    try {
      const response = await fetch(`${counted.url}/made`)
      expect([response.status, made]).toEqual([429, 0])
      expect((await readError(response)).type).toBe('rate_limit_exceeded')
    } finally {
      await counted.close()
    }
  })
})

describe('the cost of a document', () => {
  test('each content is hashed once and compressed once per encoding, for any number of requests', async () => {
    const documents = openDocuments()
    const first = documents(LONG)
    expect(documents(`${LONG}`)).toBe(first)
    const [one, other] = await Promise.all([first.bytes('br'), first.bytes('br')])
    expect(one).toBe(other)
    expect(await first.bytes('br')).toBe(one)
  })

  test('old contents are dropped', () => {
    const documents = openDocuments()
    const first = documents('0')
    for (let at = 1; at <= 256; at++) documents(String(at))
    expect(documents('0')).not.toBe(first)
    expect(documents('0')).toBeInstanceOf(OpenDocument)
  })
})

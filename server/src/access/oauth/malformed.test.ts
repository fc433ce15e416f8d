import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseRaw, sendRaw } from '#http/testing/raw-http.ts'
import {
  type AuthorizationServer,
  credentialsOf,
  type Key,
  openAuthorizationServer,
} from './testing/authorization-server.ts'

/** Requests that no correct client sends. Each gets a reason in the OAuth error format; none gives a 500. */

let server: AuthorizationServer
let key: Key
beforeAll(async () => {
  server = await openAuthorizationServer()
  key = await server.key()
})
afterAll(async () => {
  expect(server.app.observed.filter(({ status }) => status >= 500)).toEqual([])
  await server.close()
})

const ENDPOINTS = ['/oauth/token', '/oauth/revoke', '/oauth/introspect'] as const
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** The fields of a request that is valid at each of the three endpoints. */
const good = () => ({ ...credentialsOf(key), grant_type: 'client_credentials', token: 'at_test_x' })
const goodForm = () => new URLSearchParams(good()).toString()

type Sent = {
  readonly type?: string
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Record<string, string>
}

async function send(path: string, { type, body, headers = {} }: Sent, method = 'POST') {
  const response = await fetch(server.app.url + path, {
    method,
    headers: { ...(type === undefined ? {} : { 'content-type': type }), ...headers },
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const PLAIN = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/

function expectRefusal(text: string): string {
  const body = JSON.parse(text) as Record<string, unknown>
  expect(Object.keys(body).sort()).toEqual(['error', 'error_description'])
  expect(body['error_description']).toMatch(PLAIN)
  return String(body['error'])
}

test.each(ENDPOINTS)('%s accepts the request that the other tests break', async (path) => {
  expect((await send(path, { type: FORM, body: goodForm() })).status).toBe(200)
  expect((await send(path, { type: JSON_TYPE, body: JSON.stringify(good()) })).status).toBe(200)
})

describe.each(ENDPOINTS)('%s', (path) => {
  test.each<[string, () => Sent]>([
    ['no body', () => ({})],
    ['an empty form', () => ({ type: FORM, body: '' })],
    ['an empty JSON body', () => ({ type: JSON_TYPE, body: '' })],
    ['a form that is JSON', () => ({ type: FORM, body: JSON.stringify(good()) })],
    ['JSON that is a form', () => ({ type: JSON_TYPE, body: goodForm() })],
    ['a parameter twice', () => ({ type: FORM, body: `${goodForm()}&client_id=${key.clientId}` })],
    ['a parameter twice, once empty', () => ({ type: FORM, body: `${goodForm()}&client_secret=` })],
    ['a parameter twice in JSON', () => ({ type: JSON_TYPE, body: `{"token":"a",${JSON.stringify(good()).slice(1)}` })],
    ['parameters as a list', () => ({ type: FORM, body: goodForm().replace('client_id=', 'client_id[]=') })],
    ['bad percent-encoding', () => ({ type: FORM, body: `${goodForm()}&scope=%` })],
    ['percent-encoded bytes that are not UTF-8', () => ({ type: FORM, body: `${goodForm()}&scope=%ff%fe` })],
    ['bytes that are not UTF-8', () => ({ type: FORM, body: new Uint8Array([0x61, 0x3d, 0xff]) })],
    ['JSON bytes that are not UTF-8', () => ({ type: JSON_TYPE, body: new Uint8Array([0x7b, 0xff, 0x7d]) })],
    ['NUL', () => ({ type: FORM, body: goodForm().replace('client_id=', 'client_id=%00') })],
    ['NUL in JSON', () => ({ type: JSON_TYPE, body: JSON.stringify({ ...good(), token: '\0', scope: '\0' }) })],
    ['half of a surrogate pair', () => ({ type: JSON_TYPE, body: JSON.stringify({ ...good(), client_id: '\ud800' }) })],
    ['a huge value', () => ({ type: FORM, body: `${goodForm()}&scope=${'a'.repeat(50_000)}` })],
    [
      'a huge value in JSON',
      () => ({ type: JSON_TYPE, body: JSON.stringify({ ...good(), scope: 'a'.repeat(50_000) }) }),
    ],
    ['truncated JSON', () => ({ type: JSON_TYPE, body: JSON.stringify(good()).slice(0, -1) })],
    ['JSON null', () => ({ type: JSON_TYPE, body: 'null' })],
    ['a JSON list', () => ({ type: JSON_TYPE, body: JSON.stringify([good()]) })],
    ['a JSON text', () => ({ type: JSON_TYPE, body: JSON.stringify(goodForm()) })],
    ['a list for a value', () => ({ type: JSON_TYPE, body: JSON.stringify({ ...good(), client_id: [key.clientId] }) })],
    ['an object for a value', () => ({ type: JSON_TYPE, body: JSON.stringify({ ...good(), client_id: { a: 1 } }) })],
    ['a number for a value', () => ({ type: JSON_TYPE, body: JSON.stringify({ ...good(), client_secret: 5 }) })],
    ['null for a value', () => ({ type: JSON_TYPE, body: JSON.stringify({ ...good(), client_id: null }) })],
    ['JSON with far too many levels', () => ({ type: JSON_TYPE, body: `{"client_id":${'['.repeat(30_000)}` })],
    [
      'deep JSON in a value',
      () => ({ type: JSON_TYPE, body: `{"client_id":${'['.repeat(9_000)}${']'.repeat(9_000)}}` }),
    ],
    ['all parameters in an inner object', () => ({ type: JSON_TYPE, body: JSON.stringify({ params: good() }) })],
    [
      'names of prototype fields',
      () => ({ type: JSON_TYPE, body: '{"__proto__":{"client_id":"x"},"constructor":"y"}' }),
    ],
    ['an unknown version', () => ({ type: FORM, body: goodForm(), headers: { 'wefunder-version': '1999-01-01' } })],
  ])('400 invalid_request: %s', async (_, sent) => {
    const { status, text, headers } = await send(path, sent())
    expect({ status, error: expectRefusal(text) }).toEqual({ status: 400, error: 'invalid_request' })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).not.toContain(key.secret)
  })

  test.each<[string, string]>([
    ['nothing', 'Basic'],
    ['nothing after a space', 'Basic '],
    ['invalid base64', 'Basic !!!!'],
    ['base64 without a colon', `Basic ${Buffer.from('hello').toString('base64')}`],
    ['an empty id and an empty secret', `Basic ${Buffer.from(':').toString('base64')}`],
    ['bad percent-encoding', `Basic ${Buffer.from('pk%:sk%zz').toString('base64')}`],
    ['bytes that are not UTF-8', `Basic ${Buffer.from([0xc3, 0x28, 0x3a, 0x61]).toString('base64')}`],
    ['two pairs', `Basic ${Buffer.from('a:b').toString('base64')}, Basic ${Buffer.from('c:d').toString('base64')}`],
    ['a huge value without a colon', `Basic ${Buffer.from('a'.repeat(9_000)).toString('base64')}`],
  ])('400 invalid_request for Basic with %s', async (_, authorization) => {
    const { status, text } = await send(path, { type: FORM, body: 'token=x', headers: { authorization } })
    expect({ status, error: expectRefusal(text) }).toEqual({ status: 400, error: 'invalid_request' })
  })

  test.each<[string, string]>([
    ['a huge name', `Basic ${Buffer.from(`${'a'.repeat(9_000)}:b`).toString('base64')}`],
    ['a NUL', `Basic ${Buffer.from('pk\0:sk\0').toString('base64')}`],
    ['another scheme', 'Bearer at_test_x'],
    ['no scheme at all', 'hello'],
    ['an unknown scheme', 'Digest username=x'],
  ])('401 invalid_client for an Authorization header with %s', async (_, authorization) => {
    const { status, text } = await send(path, { type: FORM, body: 'token=x', headers: { authorization } })
    expect({ status, error: expectRefusal(text) }).toEqual({ status: 401, error: 'invalid_client' })
  })

  test.each<[string, () => Sent]>([
    ['text/plain', () => ({ type: 'text/plain', body: goodForm() })],
    ['multipart/form-data', () => ({ type: 'multipart/form-data; boundary=x', body: '--x--' })],
    ['application/xml', () => ({ type: 'application/xml', body: '<a/>' })],
    ['application/json-patch+json', () => ({ type: 'application/json-patch+json', body: '[]' })],
    ['a malformed media type', () => ({ type: ';;', body: goodForm() })],
    ['another character set', () => ({ type: `${FORM}; charset=iso-8859-1`, body: goodForm() })],
    ['a compressed body', () => ({ type: FORM, body: goodForm(), headers: { 'content-encoding': 'gzip' } })],
    ['bytes without a media type', () => ({ body: new Uint8Array([1, 2, 3]) })],
  ])('415 with an OAuth error for %s', async (_, sent) => {
    const { status, text } = await send(path, sent())
    expect({ status, error: expectRefusal(text) }).toEqual({ status: 415, error: 'invalid_request' })
  })

  test('413 with an OAuth error for more than 64 KiB', async () => {
    const { status, text } = await send(path, { type: FORM, body: `${goodForm()}&x=${'a'.repeat(65_536)}` })
    expect({ status, error: expectRefusal(text) }).toEqual({ status: 413, error: 'invalid_request' })
  })

  test('413 names the maximum', async () => {
    const { text } = await send(path, { type: FORM, body: `x=${'a'.repeat(65_536)}` })
    expect(JSON.parse(text)).toMatchObject({ error_description: expect.stringContaining('64 KiB') })
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])(
    '405 with an OAuth error and the header Allow for %s',
    async (method) => {
      const { status, text, headers } = await send(path, {}, method)
      expect({ status, error: expectRefusal(text) }).toEqual({ status: 405, error: 'invalid_request' })
      expect(headers.get('allow')).toBe('OPTIONS, POST')
    },
  )

  test('no 500 for malformed chunks, two Content-Length headers or two Authorization headers', async () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nConnection: close\r\n`
    const raw = [
      `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`,
      `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\na=`,
      `${head}Content-Length: 5\r\nAuthorization: Basic eDp5\r\nAuthorization: Basic ejp6\r\n\r\na=bcd`,
    ]
    for (const text of raw) {
      const { status } = parseRaw(await sendRaw(server.app.port, text))
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }
  })
})

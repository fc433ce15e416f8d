import { Type } from 'typebox'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { open, signedIn, user, visitor } from './access.ts'
import type { PictureType } from './response-bodies.ts'
import { type Route, route } from './route.ts'
import { PictureBody } from './schema-fields.ts'
import { pagePolicy } from './security-headers.ts'
import { readError } from './testing/error-response.ts'
import { type ProbeApp, serveProbes } from './testing/probe-app.ts'
import { Ok, probe } from './testing/probe-route.ts'

const makes = { ...probe, operation: 'make', method: 'POST', path: '/make', access: user('write:things') } as const
const post = (edge: ProbeApp) =>
  fetch(`${edge.url}/make`, { method: 'POST', headers: { authorization: 'Bearer at_test_user' } })

/** A database whose transactions do nothing but record how they ended. */
function recordingDatabase(commit: () => Promise<void> = async () => {}) {
  const events: string[] = []
  const database = {
    world: 'test',
    transaction: async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      try {
        const result = await work({ world: 'test' } as Tx)
        await commit()
        events.push('committed')
        return result
      } catch (error) {
        events.push('rolled back')
        throw error
      }
    },
  } as WorldDatabase
  return { events, databases: { test: database, live: database } }
}

const picture = {
  ...probe,
  operation: 'picture',
  method: 'GET',
  path: '/picture',
  alias: false,
  access: open('a probe'),
  contentType: 'image/*',
  schema: { response: { 200: PictureBody } },
} as const

async function serving(routes: Route[], ...rest: [Parameters<typeof serveProbes>[1]?]): Promise<ProbeApp> {
  const edge = await serveProbes(routes, ...rest)
  onTestFinished(() => edge.close())
  return edge
}

describe('a transaction', () => {
  const good = route({
    ...makes,
    schema: { response: { 201: Ok } },
    transaction: async () => ({ status: 201, body: { ok: true } }),
  })

  test('has committed before the client gets the response', async () => {
    const committing = Promise.withResolvers<void>()
    const { databases, events } = recordingDatabase(() => committing.promise)
    const edge = await serving([good], { ports: { databases } })
    let answered = false
    const response = post(edge).then((reply) => {
      answered = true
      return reply
    })
    await expect.poll(() => edge.lookups.length).toBe(1)
    expect(answered).toBe(false)
    committing.resolve()
    expect((await response).status).toBe(201)
    expect(events).toEqual(['committed'])
  })

  test('that fails to commit gives an error', async () => {
    const { databases } = recordingDatabase(async () => {
      throw new DatabaseUnavailable('the server went away', null)
    })
    const edge = await serving([good], { ports: { databases } })
    const response = await post(edge)
    expect([response.status, (await readError(response)).type]).toEqual([503, 'unavailable'])
  })

  test.each([
    ['an answer that does not fit its schema', { 201: Type.Object({ missing: Type.String() }) }],
    ['a status that was not declared', { 200: Ok }],
  ])('is rolled back by %s', async (_, response) => {
    const { databases, events } = recordingDatabase()
    // The declaration is wrong on purpose; a cast hides this from the types.
    const wrong = route({
      ...makes,
      schema: { response: response as unknown as { 201: typeof Ok } },
      transaction: good.run as never,
    })
    const edge = await serving([wrong], { ports: { databases } })
    expect((await post(edge)).status).toBe(500)
    expect(events).toEqual(['rolled back'])
  })
})

describe('an answer', () => {
  test('has exactly the fields of its schema', async () => {
    const edge = await serving([
      route({
        ...probe,
        operation: 'leaky',
        method: 'GET',
        path: '/leaky',
        access: open('a probe'),
        schema: { response: { 200: Type.Object({ list: Type.Array(Ok) }) } },
        handler: async () => ({
          status: 200,
          body: Object.assign({ hash: 'x' }, { list: [Object.assign({ hash: 'x' }, { ok: true })] }),
        }),
      }),
    ])
    expect(await (await fetch(`${edge.url}/leaky`)).json()).toEqual({ list: [{ ok: true }] })
  })

  test('may use a named schema any number of times', async () => {
    const Named = Type.Object({ ok: Type.Boolean() }, { $id: 'Named', title: 'Named' })
    const named = (operation: string) =>
      route({
        ...probe,
        operation,
        method: 'POST',
        path: `/${operation}`,
        access: open('a probe'),
        schema: { body: Named, response: { 200: Type.Object({ a: Named, b: Type.Array(Named) }), 201: Named } },
        handler: async ({ body }) => ({ status: 200, body: { a: body, b: [body, body] } }),
      })
    const edge = await serving([named('one'), named('two')])
    for (const path of ['/one', '/two']) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"ok":true}' }
      expect(await (await fetch(edge.url + path, init)).json()).toEqual({
        a: { ok: true },
        b: [{ ok: true }, { ok: true }],
      })
    }
  })

  test('may be a picture, sent byte for byte with its media type, and browsers must not guess another type', async () => {
    const mediaType: PictureType = 'image/png'
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff, 0xfe, 0x0d, 0x0a])
    const edge = await serving([
      route({
        ...picture,
        handler: async () => ({ status: 200, body: { mediaType, bytes }, headers: { ETag: '"1"' } }),
      }),
    ])
    const response = await fetch(`${edge.url}/picture`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(response.headers.get('etag')).toBe('"1"')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
  })

  test.each([
    ['text', 'a picture'],
    ['bytes of a kind we do not know', { mediaType: 'image/svg+xml', bytes: Buffer.from('<svg/>') }],
  ])('of a picture route must not be %s', async (_, body) => {
    const edge = await serving([route({ ...picture, handler: async () => ({ status: 200, body: body as never }) })])
    expect((await fetch(`${edge.url}/picture`)).status).toBe(500)
  })

  test('must not be a picture in a transaction, because an idempotency key could not replay it', async () => {
    const body = { mediaType: 'image/png' as const, bytes: Buffer.alloc(1) }
    const made = route({ ...picture, access: user(), transaction: async () => ({ status: 200, body }) })
    await expect(serveProbes([made])).rejects.toThrow('must be a handler: it returns a picture')
  })

  test('may be a page, with the policy of pages and its own headers', async () => {
    const edge = await serving([
      route({
        ...probe,
        operation: 'page',
        method: 'GET',
        path: '/page',
        alias: false,
        access: open('a probe'),
        contentType: 'text/html; charset=utf-8',
        schema: { response: { 200: Type.String() } },
        handler: async () => ({
          status: 200,
          body: '<!doctype html>',
          headers: { 'Cache-Control': 'public, max-age=60', 'Set-Cookie': ['a=1', 'b=2'] },
        }),
      }),
    ])
    const response = await fetch(`${edge.url}/page`)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('script-src')
    expect(policy).not.toContain('connect-src')
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await response.text()).toBe('<!doctype html>')
  })

  test('may be a redirect, without a body', async () => {
    const edge = await serving([
      route({
        ...probe,
        operation: 'elsewhere',
        method: 'GET',
        path: '/elsewhere',
        access: open('a probe'),
        contentType: 'text/html; charset=utf-8',
        schema: { response: { 200: Type.String(), 303: Type.Null() } },
        handler: async () => ({ status: 303, body: null, headers: { Location: 'https://partner.example/cb?code=1' } }),
      }),
    ])
    const response = await fetch(`${edge.url}/elsewhere`, { redirect: 'manual' })
    expect([response.status, await response.text()]).toEqual([303, ''])
    expect(response.headers.get('location')).toBe('https://partner.example/cb?code=1')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('of a page may allow form targets, and the rest of the policy stays', async () => {
    const edge = await serving([
      route({
        ...probe,
        operation: 'consent',
        method: 'GET',
        path: '/consent',
        access: open('a probe'),
        contentType: 'text/html; charset=utf-8',
        schema: { response: { 200: Type.String() } },
        handler: async () => ({
          status: 200,
          body: '<!doctype html>',
          headers: { 'Content-Security-Policy': pagePolicy({ formAction: ['https://partner.example', 'myapp:'] }) },
        }),
      }),
    ])
    const policy = (await fetch(`${edge.url}/consent`)).headers.get('content-security-policy')
    expect(policy).toContain("form-action 'self' https://partner.example myapp:;")
    expect(policy).toContain("default-src 'none'")
  })

  test('204 has no body', async () => {
    const edge = await serving([
      route({
        ...probe,
        operation: 'touch',
        method: 'GET',
        path: '/touch',
        access: open('a probe'),
        schema: { response: { 204: Type.Null() } },
        handler: async () => ({ status: 204, body: null }),
      }),
    ])
    const response = await fetch(`${edge.url}/touch`)
    expect([response.status, await response.text()]).toEqual([204, ''])
    // A 204 response must not have this header (RFC 9110, 8.6).
    expect(response.headers.get('content-length')).toBeNull()
    expect(response.headers.get('x-request-id')).not.toBeNull()
  })

  test('304 has no body', async () => {
    const edge = await serving([
      route({
        ...probe,
        operation: 'unchanged',
        method: 'GET',
        path: '/unchanged',
        access: open('a probe'),
        schema: { response: { 200: Ok, 304: Type.Null() } },
        handler: async ({ header }) =>
          header('If-None-Match') === '"1"' ? { status: 304, body: null } : { status: 200, body: { ok: true } },
      }),
    ])
    const response = await fetch(`${edge.url}/unchanged`, { headers: { 'if-none-match': '"1"' } })
    expect([response.status, await response.text()]).toEqual([304, ''])
    expect(response.headers.get('x-request-id')).not.toBeNull()
  })
})

describe('a route table', () => {
  test('does not start with two routes of the same name, without an access rule, or with a transaction on an open route', async () => {
    const one = route({
      ...makes,
      schema: { response: { 200: Ok } },
      handler: async () => ({ status: 200, body: { ok: true } }),
    })
    await expect(serveProbes([one, { ...one, path: '/other' }])).rejects.toThrow('two routes are named make')
    const { access: _, ...bare } = one
    await expect(serveProbes([bare as Route])).rejects.toThrow('make has no access rule')
    const unowned = { ...one, access: open('a probe'), work: 'transaction' as const }
    await expect(serveProbes([unowned])).rejects.toThrow('no credential, no world')
    const named = { ...unowned, inWorld: async () => 'test' as const }
    await expect(serveProbes([{ ...named, access: visitor('a probe') }])).rejects.toThrow('no credential, no world')
    await expect(serveProbes([{ ...unowned, access: signedIn() }])).rejects.toThrow('no credential, no world')
  })

  test('does not start with a transaction that declares a returned rejection, which would commit its changes', async () => {
    const returning = route({
      ...probe,
      operation: 'half',
      method: 'POST',
      path: '/half',
      access: user('write:things'),
      schema: { response: { 200: Ok, 409: Ok } },
      transaction: async () => ({ status: 200 as const, body: { ok: true } }),
    })
    await expect(serveProbes([returning])).rejects.toThrow('refusals are thrown')
  })
})

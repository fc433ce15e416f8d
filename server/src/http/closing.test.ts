import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { open } from './access.ts'
import { route } from './route.ts'
import { type ProbeApp, serveProbes } from './testing/probe-app.ts'
import { Ok, probe, respondsOk } from './testing/probe-route.ts'
import { parseRaw, sendRaw } from './testing/raw-http.ts'

const PLAIN = route({
  ...probe,
  ...respondsOk,
  operation: 'plain',
  method: 'GET',
  path: '/plain',
  access: open('a probe'),
})

/** A route that responds when the test releases it. */
function heldRoute() {
  const entered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const held = route({
    ...probe,
    operation: 'held',
    method: 'GET',
    path: '/held',
    access: open('a probe'),
    schema: { response: { 200: Ok } },
    handler: async () => {
      entered.resolve()
      await released.promise
      return { status: 200, body: { ok: true } }
    },
  })
  return { held, entered: entered.promise, release: () => released.resolve() }
}

async function serving(...given: Parameters<typeof serveProbes>): Promise<ProbeApp> {
  const edge = await serveProbes(...given)
  onTestFinished(() => edge.close())
  return edge
}

describe('closing', () => {
  test('finishes running requests, closes idle connections and accepts no new connections', async () => {
    const { held, entered, release } = heldRoute()
    const edge = await serving([held, PLAIN])
    const idle = connect(edge.port, '127.0.0.1')
    idle.write('GET /plain HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(idle, 'data')
    const idleClosed = once(idle, 'close')

    const running = fetch(`${edge.url}/held`)
    await entered
    const closed = edge.app.close()
    await idleClosed
    await expect(fetch(`${edge.url}/plain`)).rejects.toThrow()
    release()
    const response = await running
    expect([response.status, await response.json()]).toEqual([200, { ok: true }])
    expect(response.headers.get('connection')).toBe('close')
    await closed
  })

  test('logs a client that closed the connection', async () => {
    const { held, entered, release } = heldRoute()
    const edge = await serving([held])
    const leaving = new AbortController()
    const request = fetch(`${edge.url}/held`, { signal: leaving.signal }).catch(() => 'gone')
    await entered
    leaving.abort()
    expect(await request).toBe('gone')
    await expect.poll(() => edge.logLines.join('')).toContain('"aborted":true')
    release()
  })
})

describe('slow clients', () => {
  test('a client that never finishes its headers gets 408, and its connection is closed', async () => {
    const edge = await serving([PLAIN], { settings: { headersTimeoutMs: 100, requestTimeoutMs: 200 } })
    const result = parseRaw(await sendRaw(edge.port, 'GET /plain HTTP/1.1\r\nHost: x\r\nX-Slow: '))
    expect(result.status).toBe(408)
    expect(JSON.parse(result.body).error.request_id).toBe(result.headers.get('x-request-id'))
  })
})

describe('https', () => {
  test('is required from browsers by a header if the public address is https', async () => {
    const edge = await serving([PLAIN], { settings: { https: true } })
    const { headers } = await fetch(`${edge.url}/plain`)
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains')
  })
})

describe('the brand', () => {
  test('is part of the names of the version headers', async () => {
    const edge = await serving([PLAIN], { settings: { brand: 'acme' } })
    const { headers } = await fetch(`${edge.url}/plain`, { headers: { 'acme-version': '2025-01-15' } })
    expect(headers.get('acme-version')).toBe('2025-01-15')
    expect(headers.get('acme-version-latest')).toBe('2026-11-01')
    expect(headers.get('wefunder-version')).toBeNull()
  })
})

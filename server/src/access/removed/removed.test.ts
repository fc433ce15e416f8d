import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readError } from '#http/testing/error-response.ts'
import { type ProbeApp, serveProbes } from '#http/testing/probe-app.ts'
import { VERSIONS } from '#http/versions.ts'
import { describeApi } from '#main/routes.ts'
import { REMOVED_ENDPOINTS, removedRoutes } from './http.ts'

let app: ProbeApp
beforeAll(async () => {
  app = await serveProbes(removedRoutes)
})
afterAll(() => app.close())

/** Each endpoint as clients called it, and the text that its remediation must contain. */
const REMOVED: [string, string, string][] = [
  ['GET', '/campaigns/17/attribution/stats', 'GET /referral_codes/{id}/stats'],
  ['GET', '/campaigns/17/attribution/investments', 'investment.referred'],
  ['GET', '/campaigns/17/attribution/webhooks', 'GET /webhook_endpoints'],
  ['POST', '/campaigns/17/attribution/webhooks', 'POST /webhook_endpoints'],
  ['GET', '/campaigns/17/attribution/webhooks/4', 'GET /webhook_endpoints/{id}'],
  ['DELETE', '/campaigns/17/attribution/webhooks/4', 'DELETE /webhook_endpoints/{id}'],
  ['POST', '/campaigns/17/attribution/webhooks/4/test', 'POST /webhook_endpoints/{id}/test'],
  ['POST', '/campaigns/17/attribution/webhooks/4/regenerate_secret', '/webhook_endpoints/{id}/rotate_secret'],
  ['POST', '/campaigns/17/attribution/webhooks/4/reactivate', 'POST /webhook_endpoints/{id}/reenable'],
  ['GET', '/attribution/me', 'GET /users/me'],
  ['GET', '/attribution/campaigns', 'GET /installations'],
  ['POST', '/attribution/partners/register', 'program_requests'],
  ['GET', '/attribution/invites', 'GET /installations'],
  ['POST', '/attribution/invites', '/apps/{client_id}/install'],
  ['DELETE', '/attribution/invites/tok3n', 'DELETE /installations/{id}'],
]

async function call(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  const response = await fetch(app.url + path, { method, headers, ...(body === undefined ? {} : { body }) })
  return { status: response.status, headers: response.headers, error: await readError(response) }
}

describe('the endpoints removed on 2026-10-14', () => {
  test('are exactly these', () => {
    const patterns = removedRoutes.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, '…')}`)
    const called = REMOVED.map(([method, path]) => `${method} ${path.replace(/17|(?<=webhooks\/)4|tok3n/g, '…')}`)
    expect(patterns).toEqual(called)
  })

  test.each(REMOVED)('%s %s: 410 with its replacement', async (method, path, instead) => {
    const { status, error } = await call(method, path)
    expect([status, error.type, error.details]).toEqual([410, 'endpoint_removed', { removed_on: '2026-10-14' }])
    expect(error.message).toContain('removed on 2026-10-14')
    expect(error.remediation).toContain(instead)
  })

  test.each(REMOVED)('%s %s: 410 in every version and under /api/v2', async (method, path) => {
    for (const version of VERSIONS) {
      for (const prefix of ['', '/api/v2']) {
        const { status, headers } = await call(method, prefix + path, { 'wefunder-version': version })
        expect([status, headers.get('wefunder-version')]).toEqual([410, version])
      }
    }
  })

  test.each([
    null,
    'Bearer at_test_user',
    'Bearer pk_test_public',
    'Bearer ok_live_operator',
    'Bearer made-up',
    'Basic x',
  ])('respond 410 with the credential %s, which is not looked up', async (authorization) => {
    const headers: Record<string, string> = authorization === null ? {} : { authorization }
    for (const [method, path] of REMOVED) expect((await call(method, path, headers)).status).toBe(410)
    expect(app.lookups).toEqual([])
  })

  test.each(['{"direction":"partner_to_founder"}', '{not json', '[]'])('respond 410 to any body: %s', async (body) => {
    const json = { 'content-type': 'application/json', 'idempotency-key': 'a' }
    expect((await call('POST', '/attribution/invites', json, body)).status).toBe(410)
  })

  test.each([
    ['an unsupported media type', 'text/strange', 'x'],
    ['a body that is too long for any endpoint', 'application/json', JSON.stringify('x'.repeat(2_000_000))],
  ])('respond 410 to any body: %s', async (_, type, body) => {
    expect((await call('POST', '/attribution/invites', { 'content-type': type }, body)).status).toBe(410)
  })

  test('respond 405 to other methods', async () => {
    expect((await call('PUT', '/attribution/invites')).status).toBe(405)
  })

  test('are deprecated in the OpenAPI document, with 410 and without a success response', () => {
    const { paths } = describeApi(removedRoutes, { brand: 'wefunder', baseUrl: 'https://api.example' })
    const operations = Object.values(paths).flatMap((item) => Object.values(item))
    expect(operations).toHaveLength(REMOVED_ENDPOINTS.length)
    for (const operation of operations) {
      expect(operation).toMatchObject({ deprecated: true, description: expect.stringContaining('410') })
      expect(Object.keys(operation.responses)).toEqual(['410', '421', '429', '500', '503'])
    }
  })
})

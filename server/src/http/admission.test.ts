import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import { heldBy, inSandbox, liveOperator, open, operator, publicRead, user } from './access.ts'
import type { LimitPort } from './ports.ts'
import type { Sent } from './rate-limit.ts'
import { rateLimited } from './rate-limit.ts'
import { route } from './route.ts'
import { callerOf } from './testing/callers.ts'
import { countedAs } from './testing/counted.ts'
import { type ErrorResponse, readError } from './testing/error-response.ts'
import { type ProbeApp, serveProbes } from './testing/probe-app.ts'
import { probe, respondsOk } from './testing/probe-route.ts'

const ROUTES = [
  route({ ...probe, ...respondsOk, operation: 'own', method: 'GET', path: '/own', access: user('read:profile') }),
  route({ ...probe, ...respondsOk, operation: 'write', method: 'POST', path: '/write', access: user('write:other') }),
  route({ ...probe, ...respondsOk, operation: 'anyUser', method: 'GET', path: '/any-user', access: user() }),
  route({
    ...probe,
    ...respondsOk,
    operation: 'either',
    method: 'GET',
    path: '/either',
    access: heldBy(['user'], 'read:a', 'read:b'),
  }),
  route({
    ...probe,
    ...respondsOk,
    operation: 'installed',
    method: 'GET',
    path: '/installed',
    access: heldBy(['user', 'installation'], 'read:a'),
  }),
  route({
    ...probe,
    ...respondsOk,
    operation: 'byUser',
    method: 'GET',
    path: '/by-user',
    access: heldBy(['user'], 'read:public'),
  }),
  route({
    ...probe,
    ...respondsOk,
    operation: 'public',
    method: 'GET',
    path: '/public',
    access: publicRead('read:public'),
  }),
  route({
    ...probe,
    ...respondsOk,
    operation: 'facts',
    method: 'GET',
    path: '/platform/facts',
    access: operator('viewer', 'platform'),
  }),
  route({
    ...probe,
    ...respondsOk,
    operation: 'play',
    method: 'POST',
    path: '/sandbox/play',
    access: inSandbox(operator('viewer', 'platform')),
  }),
  route({
    ...probe,
    ...respondsOk,
    operation: 'approve',
    method: 'GET',
    path: '/platform/apps',
    access: liveOperator('compliance', 'platform'),
  }),
  route({ ...probe, ...respondsOk, operation: 'open', method: 'GET', path: '/open', access: open('a probe') }),
]

let edge: ProbeApp
let limited = false
/** The counted requests, and the outcomes that the limits received. */
const counted: Sent[] = []
const lookupOutcomes: (boolean | null)[] = []
let lookups = 0
beforeAll(async () => {
  const limit: LimitPort = {
    of: ({ operation }) =>
      operation === 'anyUser'
        ? null
        : (sent) => {
            counted.push(sent)
            const requireAllowed = () => {
              if (!limited) return
              throw rateLimited({ limit: 60, periodSeconds: 60, retryAfterSeconds: 7, resetAt: 1_800_000_000 })
            }
            return countedAs(sent, { requireAllowed, lookedUp: (isHeld) => lookupOutcomes.push(isHeld) })
          },
  }
  const authenticate = async (bearer: string) => {
    lookups++
    if (bearer === 'at_test_broken') throw new ApiError('unavailable', { public: 'The database is down.' })
    return bearer === 'at_test_ended' ? 'ended' : inEitherWorld(bearer)
  }
  edge = await serveProbes(ROUTES, { ports: { limit, authenticate } })
})
afterAll(() => edge.close())

/** Each caller exists in both worlds: `ok_live_operator` is the caller of `ok_test_operator` in the live world, and so on. */
function inEitherWorld(bearer: string): Caller | null {
  const caller = callerOf(bearer.replace('_live_', '_test_'))
  return caller !== null && bearer.includes('_live_') ? { ...caller, world: 'live' } : caller
}

const get = (path: string, bearer?: string, headers: Record<string, string> = {}) =>
  fetch(edge.url + path, {
    headers: { ...headers, ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }) },
  })

async function refusal(response: Response): Promise<ErrorResponse & { status: number; challenge: string | null }> {
  return {
    ...(await readError(response)),
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
  }
}

describe('401 invalid_token', () => {
  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    'at_test_user',
    'Bearer a b',
    'Bearer ä',
    `Bearer ${'a'.repeat(600)}`,
  ])('for Authorization %j, without a lookup', async (authorization) => {
    const before = lookups
    const headers = authorization === undefined ? {} : { authorization }
    expect(await refusal(await fetch(`${edge.url}/own`, { headers }))).toMatchObject({
      status: 401,
      type: 'invalid_token',
    })
    expect(lookups).toBe(before)
  })

  test('for an unknown token', async () => {
    expect(await refusal(await get('/own', 'at_test_stranger'))).toMatchObject({ status: 401, type: 'invalid_token' })
  })

  test('the scheme may be written in any case', async () => {
    expect((await fetch(`${edge.url}/own`, { headers: { authorization: 'bearer at_test_user' } })).status).toBe(200)
  })

  test('an open route ignores the credential', async () => {
    const before = lookups
    expect((await get('/open', 'at_test_stranger')).status).toBe(200)
    expect(lookups).toBe(before)
  })
})

describe('403 insufficient_scope', () => {
  test('names the scope in message, remediation and header', async () => {
    const error = await refusal(
      await fetch(`${edge.url}/write`, { method: 'POST', headers: { authorization: 'Bearer at_test_user' } }),
    )
    expect(error).toMatchObject({ status: 403, type: 'insufficient_scope' })
    expect(error.message).toContain('write:other')
    expect(error.remediation).toContain('write:other on the authorize URL')
    expect(error.challenge).toBe('Bearer error="insufficient_scope", scope="write:other"')
  })

  test('names every sufficient scope', async () => {
    const error = await refusal(await get('/either', 'at_test_user'))
    expect(error.message).toContain('read:a or read:b')
    expect(error.challenge).toBe('Bearer error="insufficient_scope", scope="read:a read:b"')
  })

  test('on a route for installation tokens, the remediation says to mint a token with the scope', async () => {
    const error = await refusal(await get('/installed', 'at_test_install'))
    expect(error).toMatchObject({ status: 403, type: 'insufficient_scope' })
    expect(error.remediation).toContain('POST /installations/{id}/tokens')
  })

  test.each([
    ['at_test_install', 'This operation is for user tokens: use one that holds read:profile.'],
    ['at_test_client', 'cannot be extended. This operation is for user tokens: use one that holds read:profile.'],
    ['pk_test_public', 'public data only. This operation is for user tokens: use one that holds read:profile.'],
  ])(
    'on a route that does not serve %s, the remediation says which tokens the operation is for',
    async (bearer, words) => {
      const error = await refusal(await get('/own', bearer))
      expect(error).toMatchObject({ status: 403, type: 'insufficient_scope' })
      expect(error.remediation).toContain(words)
      expect(error.remediation).not.toContain('mint')
      expect(error.challenge).toBe('Bearer error="insufficient_scope", scope="read:profile"')
    },
  )

  test('for a publishable key on a route for users, even if the key holds the route’s scope', async () => {
    expect(await refusal(await get('/by-user', 'pk_test_public'))).toMatchObject({
      status: 403,
      type: 'insufficient_scope',
    })
  })
})

describe('403 forbidden', () => {
  test.each([
    ['a client token that holds the scope of a user route', '/by-user', 'at_test_client'],
    ['an installation token on a route that requires a kind of token and no scope', '/any-user', 'at_test_install'],
    ['an operator key on a partner route', '/own', 'ok_test_operator'],
    ['a user token on an operator route', '/platform/facts', 'at_test_user'],
    ['a publishable key on an operator route', '/platform/facts', 'pk_test_public'],
  ])('for %s', async (_, path, bearer) => {
    expect(await refusal(await get(path, bearer))).toMatchObject({ status: 403, type: 'forbidden', challenge: null })
  })
})

describe('a route that changes both worlds', () => {
  test('is open to a live operator key', async () => {
    expect((await get('/platform/apps', 'ok_live_operator')).status).toBe(200)
  })

  test('is forbidden to an operator key of the sandbox, with the reason', async () => {
    const error = await refusal(await get('/platform/apps', 'ok_test_operator'))
    expect(error).toMatchObject({ status: 403, type: 'forbidden', challenge: null })
    expect(error.message).toContain('a request for the test world')
    expect(error.remediation).toContain('ok_live_')
  })

  test.each(['at_live_user', 'at_live_client', 'at_test_user', 'pk_live_public'])(
    'is forbidden to %s',
    async (bearer) => {
      const error = await refusal(await get('/platform/apps', bearer))
      expect([error.status, error.type]).toEqual([403, 'forbidden'])
    },
  )
})

describe('403 sandbox_only', () => {
  test.each(['ok_live_operator', 'at_live_client', 'at_live_user', 'at_live_install', 'pk_live_public'])(
    'for %s, before the kind, the scopes or the body are checked',
    async (bearer) => {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'text/strange' }
      const response = await fetch(`${edge.url}/sandbox/play`, { method: 'POST', body: '{not json', headers })
      expect(await refusal(response)).toMatchObject({ status: 403, type: 'sandbox_only', challenge: null })
    },
  )

  test('is never the error of a request in the test world', async () => {
    const play = (bearer: string) =>
      fetch(`${edge.url}/sandbox/play`, { method: 'POST', headers: { authorization: `Bearer ${bearer}` } })
    expect((await play('ok_test_operator')).status).toBe(200)
    expect((await refusal(await play('at_test_user'))).type).toBe('forbidden')
  })
})

describe('allowed', () => {
  test.each([
    ['/own', 'at_test_user'],
    ['/any-user', 'at_test_user'],
    ['/public', 'pk_test_public'],
    ['/public', 'at_test_client'],
    ['/public', 'at_test_install'],
    ['/platform/facts', 'ok_test_operator'],
  ])('%s with %s', async (path, bearer) => {
    expect((await get(path, bearer)).status).toBe(200)
  })
})

describe('the order of rejections', () => {
  const BAD_BODY = { method: 'POST', body: '{not json', headers: { 'content-type': 'text/strange' } }

  test('is limits, then 401, then the version, then 403, then the body', async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${edge.url}/write`, { ...BAD_BODY, headers: { ...BAD_BODY.headers, ...headers } }).then(refusal)
    const badVersion = { 'wefunder-version': '1999-01-01' }
    limited = true
    expect((await send(badVersion)).status).toBe(429)
    limited = false
    expect((await send(badVersion)).status).toBe(401)
    expect((await send({ ...badVersion, authorization: 'Bearer at_test_user' })).status).toBe(400)
    expect((await send({ authorization: 'Bearer at_test_user' })).status).toBe(403)
  })

  test('a request without a credential gets 401 even if its body is too large', async () => {
    const body = 'x'.repeat(2_000_000)
    const response = await fetch(`${edge.url}/write`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(response.status).toBe(401)
  })
})

describe('429', () => {
  test('carries the three X-RateLimit headers and the details, and no Retry-After', async () => {
    limited = true
    const response = await get('/own', 'at_test_user')
    limited = false
    expect(await refusal(response)).toMatchObject({
      status: 429,
      type: 'rate_limit_exceeded',
      details: { limit: 60, period: 60, retry_after: 7 },
    })
    expect(response.headers.get('x-ratelimit-limit')).toBe('60')
    expect(response.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(response.headers.get('x-ratelimit-reset')).toBe('1800000000')
    expect(response.headers.get('retry-after')).toBeNull()
  })

  test('a request that a limit rejects costs no lookup', async () => {
    const before = lookups
    limited = true
    const response = await get('/own', 'at_test_user')
    limited = false
    expect([response.status, lookups]).toEqual([429, before])
  })

  test('a limiter gets the address, the digest of the bearer, and whether the bearer is a publishable key', async () => {
    const sent = async (bearer?: string) => {
      counted.length = 0
      await get('/public', bearer)
      return counted
    }
    const digest = createHash('sha256').update('at_test_user').digest('hex')
    const at = { address: '127.0.0.1', params: {} }
    expect(await sent('at_test_user')).toEqual([{ ...at, credential: { digest, publishable: false } }])
    expect(await sent('pk_test_public')).toMatchObject([{ credential: { publishable: true } }])
    expect(await sent()).toEqual([{ ...at, credential: null }])
  })

  test('a request to a route outside the limits is not counted', async () => {
    counted.length = 0
    expect((await get('/any-user', 'at_test_user')).status).toBe(200)
    expect(counted).toEqual([])
  })

  test.each([
    ['a valid token', 'at_test_user', 200, [true]],
    ['a token that ended', 'at_test_ended', 401, [true]],
    ['an unknown token', 'at_test_stranger', 401, [false]],
    ['a lookup that fails', 'at_test_broken', 503, [null]],
    ['no credential, no lookup', undefined, 401, []],
  ])('limits receive the outcome of the lookup: %s', async (_, bearer, status, expected) => {
    lookupOutcomes.length = 0
    expect((await get('/own', bearer)).status).toBe(status)
    expect(lookupOutcomes).toEqual(expected)
  })

  test('successful answers carry no rate-limit headers', async () => {
    expect((await get('/own', 'at_test_user')).headers.get('x-ratelimit-limit')).toBeNull()
  })
})

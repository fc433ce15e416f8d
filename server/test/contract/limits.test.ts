import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { consent } from './flow.ts'
import { anAddress, BEHIND_PROXY, limitsStage } from './limits-stage.ts'
import type { App } from './stage.ts'

/**
 * The specification's "Limits", row by row, with its own numbers, against the composed service. The last row, pending
 * intents, is tested in access/limits/pending-intents.test.ts.
 */

/** A public read that the limit of the public catalogue does not cover. */
const COMPANY = `/companies/${newId('company')}`

describe('Limits', () => {
  const on = limitsStage(BEHIND_PROXY)
  const { clock, send, statusOf, countAllowed, limitNamedIn, aToken } = on

  test('per access token: 1,000 requests per hour, on every API endpoint', async () => {
    const [from, bearer, another] = [anAddress(), await aToken(), await aToken()]
    const endpoints = [COMPANY, '/users/me', '/installations', '/investments', `/api/v2${COMPANY}`]
    const requestAt = (turn: number) => ({ path: endpoints[turn % endpoints.length] ?? '', from, bearer })
    expect(await countAllowed(1_010, requestAt)).toBe(1_000)
    expect(await limitNamedIn(await send({ path: COMPANY, from: anAddress(), bearer }))).toEqual([1_000, 3_600])
    expect(await statusOf({ path: COMPANY, from, bearer: another })).toBe(404)
    clock.advance(3_599_999)
    expect(await statusOf({ path: COMPANY, from, bearer })).toBe(429)
    clock.advance(1)
    expect(await statusOf({ path: COMPANY, from, bearer })).toBe(404)
  })

  test('per IP address: 5,000 requests per hour, on every API endpoint', async () => {
    const [from, bearer] = [anAddress(), await aToken()]
    const endpoints = ['/users/me', '/oauth/revoke', COMPANY]
    const requestAt = (turn: number) => {
      const path = endpoints[turn % endpoints.length] ?? ''
      return { path, from, ...(path === '/oauth/revoke' ? { body: new URLSearchParams() } : {}) }
    }
    expect(await countAllowed(5_005, requestAt)).toBe(5_000)
    expect(await limitNamedIn(await send({ path: COMPANY, from, bearer }))).toEqual([5_000, 3_600])
    expect(await statusOf({ path: COMPANY, from: anAddress(), bearer })).toBe(404)
    clock.advance(3_600_000)
    expect(await statusOf({ path: COMPANY, from, bearer })).toBe(404)
  })

  test('public catalog per IP: 60 requests per minute to GET /explore, GET /offerings/{id}, GET /companies/search', async () => {
    const [from, bearer] = [anAddress(), await aToken()]
    const three = ['/explore', `/offerings/${newId('offering')}`, '/companies/search?q=a']
    const requestAt = (turn: number) => ({ path: three[turn % 3] ?? '', from, bearer })
    expect(await countAllowed(66, requestAt)).toBe(60)
    for (const path of three) expect(await limitNamedIn(await send({ path: path, from, bearer }))).toEqual([60, 60])
    expect(await statusOf({ path: COMPANY, from, bearer })).toBe(404)
    expect(await statusOf({ path: '/explore', from: anAddress(), bearer })).toBe(200)
    clock.advance(60_000)
    expect(await statusOf({ path: '/explore', from, bearer })).toBe(200)
  })

  test('publishable key: 300 requests per 5 minutes per key, on every public read sent with a pk_ bearer', async () => {
    const [bearer, another] = [on.app.key.clientId, (await on.stage.app()).key.clientId]
    const requestAt = (turn: number) => ({ path: turn % 9 === 0 ? '/explore' : COMPANY, from: anAddress(), bearer })
    expect(await countAllowed(310, requestAt)).toBe(300)
    const refused = await send({ path: COMPANY, from: anAddress(), bearer })
    // A page on another origin can read the reason.
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(await limitNamedIn(refused)).toEqual([300, 300])
    expect(await statusOf({ path: COMPANY, from: anAddress(), bearer: another })).toBe(404)
    // In four windows, the key gets more than a token's thousand requests an hour, because that limit does not apply to
    // keys.
    for (let window = 1; window < 4; window++) {
      clock.advance(300_000)
      expect(await countAllowed(301, requestAt)).toBe(300)
    }
  })

  test('token endpoint per client: 60 requests per hour per client_id', async () => {
    const other = await on.stage.app()
    const requestBy = (of: App, from: string, secret = of.key.secret) => {
      const fields = { grant_type: 'client_credentials', client_id: of.key.clientId, client_secret: secret }
      return { path: '/oauth/token', from, body: new URLSearchParams(fields) }
    }
    expect(await countAllowed(66, () => requestBy(on.app, anAddress()))).toBe(60)
    expect(await limitNamedIn(await send(requestBy(on.app, anAddress())))).toEqual([60, 3_600])
    expect(await statusOf(requestBy(other, anAddress()))).toBe(200)
    // A client id is not a secret, so requests with a wrong secret use up the client's limit only for their own address.
    const from = anAddress()
    expect(await countAllowed(66, () => requestBy(other, from, 'sk_test_wrong'))).toBe(60)
    expect(await limitNamedIn(await send(requestBy(other, from, 'sk_test_wrong')))).toEqual([60, 3_600])
    expect(await statusOf(requestBy(other, anAddress()))).toBe(200)
    clock.advance(3_600_000)
    expect(await statusOf(requestBy(on.app, anAddress()))).toBe(200)
  })

  test('token endpoint per IP: 300 requests per 5 minutes', async () => {
    const from = anAddress()
    const requestAt = () => ({ path: '/oauth/token', from, body: new URLSearchParams({ client_id: 'nobody' }) })
    expect(await countAllowed(310, requestAt)).toBe(300)
    expect(await limitNamedIn(await send(requestAt()))).toEqual([300, 300])
    expect(await statusOf({ path: COMPANY, from, bearer: await aToken() })).toBe(404)
    clock.advance(300_000)
    expect(await statusOf(requestAt())).toBe(401)
  })

  test('webhook test sends: 10 per minute per endpoint', async () => {
    const receiver = await webhookReceiver()
    const { access_token } = await consent(on.stage, on.app.key, on.app.team.owner, { scope: 'write:webhooks' })
    const api = on.stage.api(access_token)
    const createEndpointPath = async () => {
      const body = { url: `${receiver.url}/hook`, events: ['investment.created'] }
      return `/webhook_endpoints/${(await api('POST', '/webhook_endpoints', body)).data.id}/test`
    }
    const [one, other] = [await createEndpointPath(), await createEndpointPath()]
    for (let n = 0; n < 10; n++) expect((await api('POST', one)).status).toBe(200)
    const refused = await api('POST', one)
    expect(refused.error).toMatchObject({ type: 'rate_limit_exceeded', details: { limit: 10, period: 60 } })
    expect((await api('POST', other)).status).toBe(200)
    clock.advance(60_000)
    expect((await api('POST', one)).status).toBe(200)
    expect(receiver.received).toHaveLength(12)
    await receiver.close()
  })
})

/** Limits with small numbers, which a test reaches quickly. */
const SMALL = {
  ...BEHIND_PROXY,
  PORTICO_LIMIT_ACCESS_TOKEN: '150',
  PORTICO_LIMIT_ADDRESS: '200',
  PORTICO_LIMIT_PUBLIC_CATALOG: '20',
}

describe('a limit', () => {
  const { send, statusOf, countAllowed, limitNamedIn, aToken } = limitsStage(SMALL)

  test('allows exactly 100 of 200 simultaneous requests when 100 are left', async () => {
    const [from, bearer] = [anAddress(), await aToken()]
    expect(await countAllowed(50, () => ({ path: COMPANY, from, bearer }))).toBe(50)
    const statuses = await Promise.all(Array.from({ length: 200 }, () => statusOf({ path: COMPANY, from, bearer })))
    expect(statuses.filter((status) => status !== 429)).toHaveLength(100)
  })

  test('reports the longest wait when several limits are used up', async () => {
    const [from, bearer] = [anAddress(), await aToken()]
    expect(await countAllowed(20, () => ({ path: '/explore', from, bearer }))).toBe(20)
    expect(await countAllowed(130, () => ({ path: COMPANY, from, bearer }))).toBe(130)
    expect(await limitNamedIn(await send({ path: '/explore', from, bearer }))).toEqual([150, 3_600])
  })

  test('that rejects a request does not count it toward other limits', async () => {
    const [from, bearer] = [anAddress(), await aToken()]
    expect(await countAllowed(300, () => ({ path: '/explore', from, bearer }))).toBe(20)
    expect(await countAllowed(140, () => ({ path: COMPANY, from, bearer }))).toBe(130)
  })

  test('adds no headers to responses of allowed requests', async () => {
    const { headers } = await send({ path: '/explore', from: anAddress(), bearer: await aToken() })
    expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([])
  })

  test('counts a /64 of IPv6 as one address', async () => {
    const bearer = await aToken()
    const requestAt = (turn: number) => ({ path: '/explore', from: `2001:db8:0:7::${turn.toString(16)}`, bearer })
    expect(await countAllowed(30, requestAt)).toBe(20)
    expect(await statusOf({ path: '/explore', from: '2001:db8:0:8::1', bearer })).toBe(200)
  })
})

describe('the address of a request', () => {
  const on = limitsStage({ PORTICO_LIMIT_ADDRESS: '5' })
  const { countAllowed } = on

  test('is taken only from a trusted proxy', async () => {
    expect(await countAllowed(20, (turn) => ({ path: '/users/me', from: `203.0.113.${turn}` }))).toBe(5)
  })

  test('the metric of where limits are counted shows the process, and has no series for Redis if there is no Redis', async () => {
    const text = await (await fetch(`${on.stage.service.url}/metrics`)).text()
    expect(text).toMatch(/^portico_limits_counted_in\{[^}]*store="process"[^}]*\} 1$/m)
    expect(text).not.toContain('store="redis"')
  })
})

describe('every limit is a setting', () => {
  const { countAllowed } = limitsStage({ PORTICO_LIMITS: 'off', PORTICO_LIMIT_ADDRESS: '1' })

  test('PORTICO_LIMITS=off turns all limits off', async () => {
    expect(await countAllowed(20, () => ({ path: '/users/me', from: anAddress() }))).toBe(20)
  })
})

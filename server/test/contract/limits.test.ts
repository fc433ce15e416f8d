import { randomBytes } from 'node:crypto'
import { Pool } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readError } from '#http/testing/error-answer.ts'
import { newId } from '#kernel/ids.ts'
import { type MovableClock, movableClock } from '#test/clock.ts'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { clientCredentials, consent } from './flow.ts'
import { type App, openStage, type Stage } from './stage.ts'

/**
 * The specification's "Limits", row by row, with its own numbers, against the composed service. The clock stands still
 * unless it is moved, and a proxy in front of the service says where requests come from. The last row, pending intents, is in
 * modules/limits/pending-intents.test.ts until there are endpoints that create them.
 */

const clock: MovableClock = movableClock(Math.ceil(Date.now() / 3_600_000) * 3_600_000)
let stage: Stage
let app: App

/** A service for a part of the tests, and an hour and an app for each of them. */
function onStage(environment: Readonly<Record<string, string>>) {
  beforeAll(async () => {
    stage = await openStage({ environment, clock })
  })
  afterAll(() => stage.close())
  beforeEach(async () => {
    clock.advance(3_600_000)
    app = await stage.app({ scopes: ['write:webhooks'] })
  })
}

const BEHIND_PROXY = { PORTICO_TRUSTED_PROXIES: 'loopback' }

let addresses = 0
/** One that no other test comes from. */
const anAddress = () => `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}`

type Asked = { readonly path: string; readonly from: string; readonly bearer?: string; readonly body?: URLSearchParams }

const headersOf = ({ from, bearer }: Asked) => ({
  'x-forwarded-for': from,
  ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
})

function send(asked: Asked): Promise<Response> {
  const posted = asked.body === undefined ? {} : { method: 'POST', body: asked.body }
  return fetch(stage.service.url + asked.path, { headers: headersOf(asked), ...posted })
}

const statusOf = async (asked: Asked) => (await send(asked)).status

/** So many, twenty at a time unless it says so; how many of them were not refused by a limit. */
async function passing(times: number, ask: (turn: number) => Asked, atOnce = 20): Promise<number> {
  // Many requests that nobody reads the answers of: `fetch` would take most of the time by itself.
  const pool = new Pool(stage.service.url, { connections: atOnce })
  let [turn, passed] = [0, 0]
  const sendOn = async () => {
    while (turn < times) {
      const asked = ask(turn++)
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const posted = asked.body === undefined ? null : String(asked.body)
      const { statusCode, body } = await pool.request({
        path: asked.path,
        method: posted === null ? 'GET' : 'POST',
        headers: { ...headersOf(asked), ...(posted === null ? {} : form) },
        body: posted,
      })
      await body.dump()
      if (statusCode !== 429) passed++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendOn))
  await pool.close()
  return passed
}

async function limitTold(response: Response) {
  if (response.status !== 429) throw new Error(`not refused but ${response.status}`)
  const { type, details } = await readError(response)
  expect(type).toBe('rate_limit_exceeded')
  const reset = Number(response.headers.get('x-ratelimit-reset'))
  expect(reset - clock.now() / 1_000).toBe(details?.['retry_after'])
  expect(response.headers.get('x-ratelimit-limit')).toBe(String(details?.['limit']))
  expect(response.headers.get('x-ratelimit-remaining')).toBe('0')
  expect(response.headers.get('retry-after')).toBeNull()
  return [details?.['limit'], details?.['period']]
}

const aToken = async (of = app) => (await clientCredentials(stage, of.key)).access_token
/** A public read that is none of the catalogue's three. */
const COMPANY = `/companies/${newId('company')}`

describe('Limits', () => {
  onStage(BEHIND_PROXY)

  test('per access token: 1,000 requests per hour, on every API endpoint', async () => {
    const [from, bearer, another] = [anAddress(), await aToken(), await aToken()]
    const endpoints = [COMPANY, '/users/me', '/installations', '/investments', `/api/v2${COMPANY}`]
    const ask = (turn: number) => ({ path: endpoints[turn % endpoints.length] ?? '', from, bearer })
    expect(await passing(1_010, ask)).toBe(1_000)
    expect(await limitTold(await send({ path: COMPANY, from: anAddress(), bearer }))).toEqual([1_000, 3_600])
    expect(await statusOf({ path: COMPANY, from, bearer: another })).toBe(404)
    clock.advance(3_599_999)
    expect(await statusOf({ path: COMPANY, from, bearer })).toBe(429)
    clock.advance(1)
    expect(await statusOf({ path: COMPANY, from, bearer })).toBe(404)
  })

  test('per IP address: 5,000 requests per hour, on every API endpoint', async () => {
    const [from, bearer] = [anAddress(), await aToken()]
    const endpoints = ['/users/me', '/oauth/revoke', COMPANY]
    const ask = (turn: number) => {
      const path = endpoints[turn % endpoints.length] ?? ''
      return { path, from, ...(path === '/oauth/revoke' ? { body: new URLSearchParams() } : {}) }
    }
    expect(await passing(5_005, ask)).toBe(5_000)
    expect(await limitTold(await send({ path: COMPANY, from, bearer }))).toEqual([5_000, 3_600])
    expect(await statusOf({ path: COMPANY, from: anAddress(), bearer })).toBe(404)
    clock.advance(3_600_000)
    expect(await statusOf({ path: COMPANY, from, bearer })).toBe(404)
  })

  test('public catalog per IP: 60 requests per minute to GET /explore, GET /offerings/{id}, GET /companies/search', async () => {
    const [from, bearer] = [anAddress(), await aToken()]
    const three = ['/explore', `/offerings/${newId('offering')}`, '/companies/search?q=a']
    const ask = (turn: number) => ({ path: three[turn % 3] ?? '', from, bearer })
    expect(await passing(66, ask)).toBe(60)
    for (const path of three) expect(await limitTold(await send({ path: path, from, bearer }))).toEqual([60, 60])
    expect(await statusOf({ path: COMPANY, from, bearer })).toBe(404)
    expect(await statusOf({ path: '/explore', from: anAddress(), bearer })).toBe(200)
    clock.advance(60_000)
    expect(await statusOf({ path: '/explore', from, bearer })).toBe(200)
  })

  test('publishable key: 300 requests per 5 minutes per key, on every public read sent with a pk_ bearer', async () => {
    const [bearer, another] = [app.key.clientId, (await stage.app()).key.clientId]
    const ask = (turn: number) => ({ path: turn % 9 === 0 ? '/explore' : COMPANY, from: anAddress(), bearer })
    expect(await passing(310, ask)).toBe(300)
    const refused = await send({ path: COMPANY, from: anAddress(), bearer })
    // A page on another origin can read why.
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(await limitTold(refused)).toEqual([300, 300])
    expect(await statusOf({ path: COMPANY, from: anAddress(), bearer: another })).toBe(404)
    // More than a token's thousand an hour, in four windows: that limit is not a key's.
    for (let window = 1; window < 4; window++) {
      clock.advance(300_000)
      expect(await passing(301, ask)).toBe(300)
    }
  })

  test('token endpoint per client: 60 requests per hour per client_id', async () => {
    const other = await stage.app()
    const ask = (of: App, from: string, secret = of.key.secret) => {
      const fields = { grant_type: 'client_credentials', client_id: of.key.clientId, client_secret: secret }
      return { path: '/oauth/token', from, body: new URLSearchParams(fields) }
    }
    expect(await passing(66, () => ask(app, anAddress()))).toBe(60)
    expect(await limitTold(await send(ask(app, anAddress())))).toEqual([60, 3_600])
    expect(await statusOf(ask(other, anAddress()))).toBe(200)
    // A client id is no secret: who only says to be the client uses up nothing but their own.
    const from = anAddress()
    expect(await passing(66, () => ask(other, from, 'sk_test_wrong'))).toBe(60)
    expect(await limitTold(await send(ask(other, from, 'sk_test_wrong')))).toEqual([60, 3_600])
    expect(await statusOf(ask(other, anAddress()))).toBe(200)
    clock.advance(3_600_000)
    expect(await statusOf(ask(app, anAddress()))).toBe(200)
  })

  test('token endpoint per IP: 300 requests per 5 minutes', async () => {
    const from = anAddress()
    const ask = () => ({ path: '/oauth/token', from, body: new URLSearchParams({ client_id: 'nobody' }) })
    expect(await passing(310, ask)).toBe(300)
    expect(await limitTold(await send(ask()))).toEqual([300, 300])
    expect(await statusOf({ path: COMPANY, from, bearer: await aToken() })).toBe(404)
    clock.advance(300_000)
    expect(await statusOf(ask())).toBe(401)
  })

  test('webhook test sends: 10 per minute per endpoint', async () => {
    const receiver = await webhookReceiver()
    const { access_token } = await consent(stage, app.key, app.team.owner, { scope: 'write:webhooks' })
    const api = stage.api(access_token)
    const made = async () => {
      const body = { url: `${receiver.url}/hook`, events: ['investment.created'] }
      return `/webhook_endpoints/${(await api('POST', '/webhook_endpoints', body)).data.id}/test`
    }
    const [one, other] = [await made(), await made()]
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

/** Numbers that are quicker to reach. */
const SMALL = {
  ...BEHIND_PROXY,
  PORTICO_LIMIT_ACCESS_TOKEN: '150',
  PORTICO_LIMIT_ADDRESS: '200',
  PORTICO_LIMIT_PUBLIC_CATALOG: '20',
  PORTICO_LIMIT_UNKNOWN_TOKEN: '30',
}

describe('a limit', () => {
  onStage(SMALL)

  test('is exact: of 200 at once, with 100 left, exactly 100 pass', async () => {
    const [from, bearer] = [anAddress(), await aToken()]
    expect(await passing(50, () => ({ path: COMPANY, from, bearer }))).toBe(50)
    const statuses = await Promise.all(Array.from({ length: 200 }, () => statusOf({ path: COMPANY, from, bearer })))
    expect(statuses.filter((status) => status !== 429)).toHaveLength(100)
  })

  test('tells of the longest wait when several are used up', async () => {
    const [from, bearer] = [anAddress(), await aToken()]
    expect(await passing(20, () => ({ path: '/explore', from, bearer }))).toBe(20)
    expect(await passing(130, () => ({ path: COMPANY, from, bearer }))).toBe(130)
    expect(await limitTold(await send({ path: '/explore', from, bearer }))).toEqual([150, 3_600])
  })

  test('that refuses uses up nothing of another', async () => {
    const [from, bearer] = [anAddress(), await aToken()]
    expect(await passing(300, () => ({ path: '/explore', from, bearer }))).toBe(20)
    expect(await passing(140, () => ({ path: COMPANY, from, bearer }))).toBe(130)
  })

  test('has no headers on answers that it lets pass', async () => {
    const { headers } = await send({ path: '/explore', from: anAddress(), bearer: await aToken() })
    expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([])
  })

  test('counts a /64 of IPv6 as one address', async () => {
    const bearer = await aToken()
    const ask = (turn: number) => ({ path: '/explore', from: `2001:db8:0:7::${turn.toString(16)}`, bearer })
    expect(await passing(30, ask)).toBe(20)
    expect(await statusOf({ path: '/explore', from: '2001:db8:0:8::1', bearer })).toBe(200)
  })
})

/** One after the other: what nobody holds is known after it was looked up, so those under way at that time get through. */
describe('bad tokens', () => {
  onStage(SMALL)

  const guess = (from: string) => ({
    ...{ path: '/users/me', from },
    bearer: `at_test_${randomBytes(32).toString('base64url')}`,
  })

  test('so many in five minutes from one address; then 429 instead of 401, until the window ends', async () => {
    const from = anAddress()
    expect(await passing(40, () => guess(from), 1)).toBe(30)
    expect(await limitTold(await send(guess(from)))).toEqual([30, 300])
    expect(await statusOf(guess(anAddress()))).toBe(401)
    expect(await statusOf({ path: '/users/me', from })).toBe(401)
    clock.advance(300_000)
    expect(await statusOf(guess(from))).toBe(401)
  })

  test('a caller at the same address whose token was seen before goes on, and their limits are not used up', async () => {
    const [from, bearer] = [anAddress(), await aToken()]
    expect(await statusOf({ path: COMPANY, from, bearer })).toBe(404)
    expect(await passing(300, () => guess(from), 1)).toBe(30)
    expect(await passing(140, () => ({ path: COMPANY, from, bearer }))).toBe(140)
  })

  test('the host platform’s keys cannot be guessed either, while its own goes on', async () => {
    const from = anAddress()
    const ask = (bearer: string) => ({ path: `/platform/apps/${app.id}`, from, bearer })
    expect(await statusOf(ask(stage.service.operatorKeys.live))).toBe(200)
    const guessed = () => ask(`ok_live_${randomBytes(32).toString('base64url')}`)
    expect(await passing(40, guessed, 1)).toBe(30)
    expect(await statusOf(ask(stage.service.operatorKeys.live))).toBe(200)
  })
})

describe('where a request comes from', () => {
  onStage({ PORTICO_LIMIT_ADDRESS: '5' })

  test('is nobody’s to say but a trusted proxy’s', async () => {
    expect(await passing(20, (turn) => ({ path: '/users/me', from: `203.0.113.${turn}` }))).toBe(5)
  })
})

describe('every limit is a setting', () => {
  onStage({ PORTICO_LIMITS: 'off', PORTICO_LIMIT_ADDRESS: '1' })

  test('and all of them are lifted by PORTICO_LIMITS=off', async () => {
    expect(await passing(20, () => ({ path: '/users/me', from: anAddress() }))).toBe(20)
  })
})

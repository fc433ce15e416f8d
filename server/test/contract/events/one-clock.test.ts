import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { aCompanyOf } from '../installing.ts'
import type { Send } from '../sender.ts'
import type { App } from '../stage.ts'
import { anOffering, type EventStage, type Listener, openEventStage } from './stage.ts'

/**
 * The test world's clock is a year ahead, and times in responses, events and delivery records are of that clock.
 * Tokens and signatures have real time: `received()` verifies each signature with the library standardwebhooks, which
 * accepts at most five minutes of difference.
 */
const AHEAD_DAYS = 365
const DAY_MS = 86_400_000

let stage: EventStage
let app: App
let company: string
let send: Send
beforeAll(async () => {
  stage = await openEventStage()
  await stage.advanceClock(`P${AHEAD_DAYS}D`)
  const founder = await stage.person()
  app = await stage.partner(['read:companies'])
  const on = await aCompanyOf(stage, founder)
  company = on.target_id
  await stage.install(app, founder, on)
  send = await stage.manage(app)
})
afterAll(() => stage.close())

/**
 * Returns by how many days a time is ahead of real time, rounded. A time a moment ago rounds to -0, which `+ 0` turns
 * into 0.
 */
const daysAhead = (time: unknown) => Math.round((Date.parse(String(time)) - Date.now()) / DAY_MS) + 0
const listen = () => stage.listen(app, { events: ['offering.opened'] })
const pathOf = ({ id }: Listener) => `/webhook_endpoints/${id}`

describe('an event', () => {
  test('has the world’s time in created_at of the envelope, and real time in its signatures', async () => {
    const listener = await listen()
    await anOffering(stage, company)
    const [opened] = await listener.received()
    expect(daysAhead(opened?.created_at)).toBe(AHEAD_DAYS)
  })

  test('has the world’s time in created_at of a test delivery, too', async () => {
    const listener = await listen()
    expect((await send('POST', `${pathOf(listener)}/test`)).data['delivered']).toBe(true)
    expect((await listener.received()).map(({ created_at }) => daysAhead(created_at))).toEqual([AHEAD_DAYS])
  })
})

describe('a delivery’s record', () => {
  test('has the world’s time for its creation, attempts and end, and so has its endpoint', async () => {
    const listener = await listen()
    await anOffering(stage, company)
    await stage.settle()
    const { list } = await send('GET', `${pathOf(listener)}/deliveries`)
    const { data } = await send('GET', `${pathOf(listener)}/deliveries/${list[0]?.id}`)
    const { created_at, ended_at, attempts, status } = data.attributes
    expect(status).toBe('delivered')
    const times = [created_at, ended_at, ...(attempts as { at: string }[]).map(({ at }) => at)]
    expect(times.map(daysAhead)).toEqual([AHEAD_DAYS, AHEAD_DAYS, AHEAD_DAYS])
    // The endpoint's last delivery is written a moment after the delivery itself.
    const endpointTimes = async () => {
      const endpoint = (await send('GET', pathOf(listener))).data.attributes
      return [endpoint['created_at'], endpoint['last_delivery_at']].map(daysAhead)
    }
    await expect.poll(endpointTimes).toEqual([AHEAD_DAYS, AHEAD_DAYS])
  })

  test('is selected for a replay by the world’s time in {since}', async () => {
    const listener = await listen()
    const now = async () => (await stage.operator('GET', '/sandbox/clock', undefined, 'test')).data['now']
    const replay = async (range: object) => (await send('POST', `${pathOf(listener)}/replay`, range)).data['queued']
    await anOffering(stage, company)
    await stage.settle()
    const since = await now()
    await anOffering(stage, company)
    await stage.settle()
    expect(await replay({ since })).toBe(1)
    await stage.settle()
    expect(await replay({ since: await now() })).toBe(0)
    // In the test world, real time is a year ago.
    expect(await replay({ since: new Date().toISOString(), until: since })).toBe(1)
    await stage.settle()
  })
})

test('applied_at of a fact is the world’s time: a year ahead in the test world, real time in the live world', async () => {
  const times = async (world: World) => {
    const id = newId('event')
    const data = { id: newId('user'), name: 'Grace Hopper', email: `${id}@example.org` }
    const fact = { id, type: 'user.registered', occurred_at: new Date().toISOString(), data }
    await stage.operator('POST', '/platform/facts', [fact], world)
    return (await stage.operator('GET', `/platform/facts/${id}`, undefined, world)).data
  }
  expect(daysAhead((await times('test'))['applied_at'])).toBe(AHEAD_DAYS)
  expect(daysAhead((await times('live'))['applied_at'])).toBe(0)
})

test('fetched_at of the catalogue is the world’s time, and created_at of a token is real time', async () => {
  const credentials = Buffer.from(`${app.key.clientId}:${app.key.secret}`).toString('base64')
  const answer = await fetch(`${stage.service.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token, created_at } = (await answer.json()) as { access_token: string; created_at: number }
  expect(daysAhead(new Date(created_at * 1_000).toISOString())).toBe(0)
  await stage.goPublic(company)
  for (const path of ['/explore', `/companies/${company}`]) {
    const { status, meta } = await stage.api(access_token)('GET', path)
    expect([status, daysAhead(meta['fetched_at'])], path).toEqual([200, AHEAD_DAYS])
  }
})

import {
  Client,
  type EventStreamOptions,
  memoryTokenStore,
  type StreamedEvent,
  type StreamStatus,
  serverKey,
  user,
} from '@portico/sdk'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { anInvestment, anOffering, type EventStage, openEventStage } from '../../server/test/contract/events/stage.ts'
import { aCompanyOf } from '../../server/test/contract/installing.ts'
import type { App, Person } from '../../server/test/contract/stage.ts'
import { type FlakyProxy, flakyProxy } from './flaky-proxy.ts'

const SCOPES = ['read:webhooks', 'read:companies', 'read:investments']

let stage: EventStage
let app: App
let offering: string
let investor: Person
let installationId: string
beforeAll(async () => {
  stage = await openEventStage()
  const founder = await stage.person()
  investor = await stage.person()
  app = await stage.partner(SCOPES)
  const target = await aCompanyOf(stage, founder)
  installationId = await stage.install(app, founder, target)
  offering = await anOffering(stage, target.target_id)
})
afterAll(() => stage?.close())

async function invest(): Promise<string> {
  const id = await anInvestment(stage, { offering, investor })
  await stage.settle()
  return id
}

async function openProxy(): Promise<FlakyProxy> {
  const proxy = await flakyProxy(stage.service.url)
  onTestFinished(() => proxy.close())
  return proxy
}

function clientOf(baseUrl: string): Client {
  const { clientId, secret } = app.key
  return new Client({ baseUrl, credential: serverKey({ clientId, clientSecret: secret }) })
}

/** Reads the stream in the background until the test ends. */
function startReading(client: Client, options: EventStreamOptions = {}) {
  const events: StreamedEvent[] = []
  const statuses: StreamStatus[] = []
  const controller = new AbortController()
  const onStatus = (status: StreamStatus) => statuses.push(status)
  const stream = client.streamEvents({
    types: ['investment.created'],
    retryMs: 100,
    ...options,
    onStatus,
    signal: controller.signal,
  })
  const ended = (async () => {
    for await (const event of stream) events.push(event)
  })()
  onTestFinished(async () => {
    controller.abort()
    await ended.catch(() => {})
  })
  const isOpen = () => statuses.at(-1)?.state === 'open'
  return { events, statuses, stream, ended, isOpen, stop: controller }
}

const investmentsIn = (events: readonly StreamedEvent[]) =>
  events.map(({ payload }) => (payload.event === 'investment.created' ? payload.data.id : payload.event))

describe('an event stream', () => {
  test('yields an event when it happens, and ends without an error when the caller aborts the stream', async () => {
    const { events, statuses, ended, isOpen, stop } = startReading(clientOf(stage.service.url))
    await expect.poll(isOpen).toBe(true)
    const id = await invest()
    await expect.poll(() => investmentsIn(events)).toEqual([id])
    expect(events[0]?.event.attributes).toMatchObject({ installation_id: installationId, redelivery_of: null })
    expect(statuses.map(({ state }) => state)).toEqual(['connecting', 'open'])
    stop.abort()
    await expect(ended).resolves.toBeUndefined()
  })

  test('yields all events although the connection is cut, and reports each change of the connection', async () => {
    const proxy = await openProxy()
    const { events, statuses, isOpen } = startReading(clientOf(proxy.url))
    await expect.poll(isOpen).toBe(true)
    const beforeCut = await invest()
    await expect.poll(() => investmentsIn(events)).toEqual([beforeCut])
    proxy.faults.push('cut')
    proxy.cutAll()
    const duringCut = [await invest(), await invest()]
    await expect.poll(() => investmentsIn(events)).toEqual([beforeCut, ...duringCut])
    expect(statuses.map(({ state }) => state)).toEqual([
      'connecting',
      'open',
      'waiting',
      'connecting',
      'waiting',
      'connecting',
      'open',
    ])
    expect(statuses[2]).toMatchObject({ reason: expect.stringContaining('connection'), cursor: events[0]?.cursor })
    const streamRequests = proxy.requests.filter(({ url }) => url?.startsWith('/events/stream'))
    expect(streamRequests.map(({ headers }) => headers['last-event-id'])).toEqual([
      undefined,
      events[0]?.cursor,
      events[0]?.cursor,
    ])
  })

  test('yields the first event although the connection breaks before that event', async () => {
    const proxy = await openProxy()
    const { events, statuses, isOpen } = startReading(clientOf(proxy.url))
    await expect.poll(isOpen).toBe(true)
    proxy.cutAll()
    const id = await invest()
    await expect.poll(() => investmentsIn(events)).toEqual([id])
    expect(statuses[1]).toMatchObject({ state: 'open', cursor: expect.any(String) })
  })

  test('replaces a connection that stays open but sends no data', async () => {
    const proxy = await openProxy()
    const { events, statuses, isOpen } = startReading(clientOf(proxy.url), { silenceMs: 500 })
    await expect.poll(isOpen).toBe(true)
    proxy.silence()
    const id = await invest()
    await expect.poll(() => investmentsIn(events)).toContain(id)
    expect(statuses.find(({ state }) => state === 'waiting')).toMatchObject({
      reason: expect.stringContaining('the connection is dead'),
    })
    expect(investmentsIn(events).filter((each) => each === id)).toEqual([id])
  })

  test('continues after the cursor that another process stored', async () => {
    const first = startReading(clientOf(stage.service.url))
    await expect.poll(first.isOpen).toBe(true)
    const received = await invest()
    await expect.poll(() => investmentsIn(first.events)).toEqual([received])
    first.stop.abort()
    await first.ended
    const missed = [await invest(), await invest()]
    const second = startReading(clientOf(stage.service.url), { after: first.stream.cursor })
    await expect.poll(() => investmentsIn(second.events)).toEqual(missed)
  })

  test('retries after 503 and 502, and throws after 401 and 400', async () => {
    const proxy = await openProxy()
    proxy.faults.push({ status: 503 }, { status: 502, body: '<html>Bad gateway</html>' })
    const { statuses, isOpen } = startReading(clientOf(proxy.url))
    await expect.poll(isOpen).toBe(true)
    expect(statuses.filter(({ state }) => state === 'waiting')).toHaveLength(2)
    const stranger = new Client({
      baseUrl: proxy.url,
      credential: serverKey({ clientId: 'pk_test_x', clientSecret: 'x' }),
    })
    await expect(startReading(stranger).ended).rejects.toMatchObject({ name: 'AuthenticationError', status: 401 })
    const unknown = startReading(clientOf(stage.service.url), { after: 'not-an-id' })
    await expect(unknown.ended).rejects.toMatchObject({ name: 'InvalidRequestError', type: 'invalid_request' })
  })

  test('waits while the token endpoint is busy, and throws if the token endpoint rejects the refresh token', async () => {
    const proxy = await openProxy()
    const busy = { error: 'temporarily_unavailable', error_description: 'Try again.' }
    proxy.faults.push({ status: 503, body: busy }, { status: 429 })
    const { clientId, secret: clientSecret } = app.key
    const store = memoryTokenStore({ accessToken: 'at_ended', refreshToken: 'rt_unknown', expiresAt: 0, scope: '' })
    const client = new Client({
      baseUrl: proxy.url,
      credential: user({ clientId, clientSecret, store }),
      maxRetries: 0,
    })
    const { statuses, ended } = startReading(client)
    await expect(ended).rejects.toMatchObject({ name: 'OAuthError', code: 'invalid_grant' })
    expect(statuses.filter(({ state }) => state === 'waiting')).toHaveLength(2)
  })
})

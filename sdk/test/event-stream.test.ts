import { Client, type EventStreamOptions, type StreamedEvent, type StreamStatus, serverKey } from '@portico/sdk'
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

async function proxied(): Promise<FlakyProxy> {
  const proxy = await flakyProxy(stage.service.url)
  onTestFinished(() => proxy.close())
  return proxy
}

function clientOf(baseUrl: string): Client {
  const { clientId, secret } = app.key
  return new Client({ baseUrl, credential: serverKey({ clientId, clientSecret: secret }) })
}

/** Reads in the background until the test is over. */
function reading(client: Client, options: EventStreamOptions = {}) {
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
  test('yields events as they happen, typed by their name, and ends without an error when it is aborted', async () => {
    const { events, statuses, ended, isOpen, stop } = reading(clientOf(stage.service.url))
    await expect.poll(isOpen).toBe(true)
    const id = await invest()
    await expect.poll(() => investmentsIn(events)).toEqual([id])
    expect(events[0]?.event.attributes).toMatchObject({ installation_id: installationId, redelivery_of: null })
    expect(statuses.map(({ state }) => state)).toEqual(['connecting', 'open'])
    stop.abort()
    await expect(ended).resolves.toBeUndefined()
  })

  test('loses nothing when the connection is cut, and reports each step', async () => {
    const proxy = await proxied()
    const { events, statuses, isOpen } = reading(clientOf(proxy.url))
    await expect.poll(isOpen).toBe(true)
    const before = await invest()
    await expect.poll(() => investmentsIn(events)).toEqual([before])
    proxy.faults.push('cut')
    proxy.cutAll()
    const meanwhile = [await invest(), await invest()]
    await expect.poll(() => investmentsIn(events)).toEqual([before, ...meanwhile])
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
    const resumed = proxy.requests.filter(({ url }) => url?.startsWith('/events/stream'))
    expect(resumed.map(({ headers }) => headers['last-event-id'])).toEqual([
      undefined,
      events[0]?.cursor,
      events[0]?.cursor,
    ])
  })

  test('loses nothing when the connection breaks before the first event', async () => {
    const proxy = await proxied()
    const { events, statuses, isOpen } = reading(clientOf(proxy.url))
    await expect.poll(isOpen).toBe(true)
    proxy.cutAll()
    const id = await invest()
    await expect.poll(() => investmentsIn(events)).toEqual([id])
    expect(statuses[1]).toMatchObject({ state: 'open', cursor: expect.any(String) })
  })

  test('continues after a connection that is silent without being closed', async () => {
    const proxy = await proxied()
    const { events, statuses, isOpen } = reading(clientOf(proxy.url), { silenceMs: 500 })
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
    const first = reading(clientOf(stage.service.url))
    await expect.poll(first.isOpen).toBe(true)
    const seen = await invest()
    await expect.poll(() => investmentsIn(first.events)).toEqual([seen])
    first.stop.abort()
    await first.ended
    const missed = [await invest(), await invest()]
    const second = reading(clientOf(stage.service.url), { after: first.stream.cursor })
    await expect.poll(() => investmentsIn(second.events)).toEqual(missed)
  })

  test('waits while the service is busy, and throws errors that another attempt cannot fix', async () => {
    const proxy = await proxied()
    proxy.faults.push({ status: 503 }, { status: 502, body: '<html>Bad gateway</html>' })
    const { statuses, isOpen } = reading(clientOf(proxy.url))
    await expect.poll(isOpen).toBe(true)
    expect(statuses.filter(({ state }) => state === 'waiting')).toHaveLength(2)
    const stranger = new Client({
      baseUrl: proxy.url,
      credential: serverKey({ clientId: 'pk_test_x', clientSecret: 'x' }),
    })
    await expect(reading(stranger).ended).rejects.toMatchObject({ name: 'AuthenticationError', status: 401 })
    const unknown = reading(clientOf(stage.service.url), { after: 'not-an-id' })
    await expect(unknown.ended).rejects.toMatchObject({ name: 'InvalidRequestError', type: 'invalid_request' })
  })
})

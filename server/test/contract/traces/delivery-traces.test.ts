import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { runWorker } from '#main/worker.ts'
import { openLog } from '#system/log.ts'
import { openMetrics } from '#system/metrics.ts'
import { type CollectedSpan, type TraceCollector, traceCollector } from '#test/trace-collector.ts'
import { type WebhookReceiver, webhookReceiver } from '#test/webhook-receiver.ts'
import { consent } from '../flow.ts'
import { aCompanyOf, INSTALLING, type Target } from '../installing.ts'
import type { Send } from '../sender.ts'
import { openStage, type Person, type Stage } from '../stage.ts'

/** One trace leads from the platform's fact through all jobs of a real worker to the partner's receiver. */

type Partner = {
  readonly app: string
  readonly endpoint: string
  readonly receiver: WebhookReceiver
  readonly manage: Send
}

let collector: TraceCollector
let stage: Stage
let stop: () => Promise<void>
let founder: Person
let target: Target
let first: Partner
let second: Partner
beforeAll(async () => {
  collector = await traceCollector()
  const environment = {
    PORTICO_LIMITS: 'off',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    // The service samples only requests with a sampled parent.
    OTEL_TRACES_SAMPLER_ARG: '0',
  }
  stage = await openStage({ environment })
  stop = startWorker(stage)
  founder = await stage.person()
  target = await aCompanyOf(stage, founder)
  first = await partner()
  second = await partner()
})
afterAll(async () => {
  await stop()
  await stage.close()
  for (const { receiver } of [first, second]) await receiver.close()
  await collector.close()
})

/** Starts the workers as `npm start` does, with webhooks that have trace headers. */
function startWorker({ service }: Stage): () => Promise<void> {
  const stopping = new AbortController()
  const metrics = openMetrics('worker')
  const running = runWorker(
    {
      ...{ databaseUrl: service.db.url, poolSize: 4, logLevel: 'error', logFormat: 'json' as const },
      ...{ secret: service.secret, previousSecrets: [], brand: 'wefunder', platformName: 'Portico' },
      ...{ loopbackWebhooks: true, ownOrigins: [], referralPeopleMin: 5, mail: null },
      mailBrand: { name: 'Portico', accent: null, logo: null, links: { support: null, terms: null, privacy: null } },
      tracing: {
        ...{ endpoint: collector.url, headers: {}, serviceName: 'portico', resource: {} },
        ...{ sampler: 'parentbased_traceidratio' as const, ratio: 0 },
      },
      traceWebhooks: true,
    },
    { log: openLog('error'), metrics, signal: stopping.signal, onStarted: () => {} },
  )
  return async () => {
    stopping.abort()
    await running
    metrics.stop()
  }
}

/** Creates an app that is installed on the company, with an endpoint for offering.opened. */
async function partner(): Promise<Partner> {
  const app = await stage.app({ scopes: ['read:companies', 'write:webhooks', ...INSTALLING], approved: true })
  const installing = await consent(stage, app.key, founder, { scope: INSTALLING.join(' ') })
  await stage.api(installing.access_token)('POST', '/installations', target)
  const managing = await consent(stage, app.key, app.team.owner, { scope: 'write:webhooks' })
  const manage = stage.api(managing.access_token)
  const receiver = await webhookReceiver()
  const body = { url: `${receiver.url}/hook?key=quiet-key`, events: ['offering.opened'] }
  const { status, data } = await manage('POST', '/webhook_endpoints', body)
  expect(status).toBe(201)
  return { app: app.id, endpoint: data.id, receiver, manage }
}

/** Opens an offering by facts sent in this trace of the platform. Returns the offering's id. */
async function openOffering(traceparent: string): Promise<string> {
  const id = newId('offering')
  const fact = (type: string, data: object) => {
    return { id: newId('event'), type, occurred_at: new Date().toISOString(), data }
  }
  const terms = {
    currency: 'usd',
    exemption: 'reg_cf',
    security: { type: 'safe', terms: { valuation_cap: '8000000' } },
  }
  const response = await fetch(`${stage.service.url}/platform/facts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stage.service.operatorKeys.test}`,
      'content-type': 'application/json',
      traceparent,
      tracestate: 'platform=internal',
    },
    body: JSON.stringify([
      fact('offering.created', { id, company: target.target_id, ...terms, testing_the_waters: false }),
      fact('offering.opened', { id }),
    ]),
  })
  expect(await response.json()).toMatchObject({ meta: { applied: 2 } })
  return id
}

/** Returns the spans of this trace, once the collector has the request and this many deliveries. */
async function spansOf(traceId: string, deliveries: number): Promise<readonly CollectedSpan[]> {
  const traceSpans = () => collector.spans.filter((span) => span.traceId === traceId)
  const count = (name: string) => traceSpans().filter((span) => span.name === name).length
  await expect.poll(() => [count('POST /platform/facts'), count('deliver offering.opened')]).toEqual([1, deliveries])
  return traceSpans()
}

const newTrace = () => randomBytes(16).toString('hex')
const traceparentOf = (traceId: string, flags = '01') => `00-${traceId}-b7ad6b7169203331-${flags}`
const ofEndpoint = (spans: readonly CollectedSpan[], { endpoint }: Partner) =>
  spans.find((span) => span.attributes['portico.endpoint_id'] === endpoint)

/** Returns the deliveries about this offering, once the receiver has this many. */
async function receivedDelivery({ receiver }: Partner, offering: string, count = 1) {
  const matching = () => receiver.received.filter(({ body }) => body.includes(offering))
  await expect.poll(() => matching().length).toBe(count)
  return matching()
}

describe('a fact of the platform in a sampled trace', () => {
  test('has one trace: fact, transaction, fan-out, delivery, and the request to each receiver', async () => {
    const traceId = newTrace()
    const offering = await openOffering(traceparentOf(traceId))
    const [[one], [other]] = await Promise.all([receivedDelivery(first, offering), receivedDelivery(second, offering)])
    const spans = await spansOf(traceId, 2)

    const request = spans.find(({ name }) => name === 'POST /platform/facts')
    expect(request).toMatchObject({ parentSpanId: 'b7ad6b7169203331', traceState: 'platform=internal' })
    const deliveries = [ofEndpoint(spans, first), ofEndpoint(spans, second)]
    const parents = new Set(deliveries.map((span) => span?.parentSpanId))
    expect(parents.size).toBe(1)
    const transaction = spans.find(({ spanId }) => parents.has(spanId))
    expect(transaction).toMatchObject({ name: 'transaction', parentSpanId: request?.spanId })
    const fanOut = spans.find(({ name }) => name === 'fan out offering.opened')
    expect(fanOut).toMatchObject({ parentSpanId: transaction?.spanId, attributes: { 'portico.deliveries': 2 } })
    expect(deliveries[0]?.attributes).toMatchObject({ 'portico.outcome': '204', 'portico.attempt': 1 })
    expect(one?.headers['traceparent']).toBe(`00-${traceId}-${deliveries[0]?.spanId}-01`)
    expect(other?.headers['traceparent']).toBe(`00-${traceId}-${deliveries[1]?.spanId}-01`)
    // `tracestate` is not sent to partners.
    expect(one?.headers['tracestate']).toBeUndefined()
  })

  test('names each app only in the span of its own delivery, and never an address or a key of a receiver', async () => {
    const traceId = newTrace()
    await openOffering(traceparentOf(traceId))
    const spans = await spansOf(traceId, 2)
    for (const [own, others] of [
      [first, second],
      [second, first],
    ] as const) {
      const naming = spans.filter((span) => JSON.stringify(span).includes(own.app))
      expect(naming.map(({ attributes }) => attributes['portico.endpoint_id'])).toEqual([own.endpoint])
      expect(JSON.stringify(naming)).not.toContain(others.endpoint)
    }
    const all = collector.bodies.join('\n')
    for (const secret of ['quiet-key', '127.0.0.1', 'whsec_', 'Analytical Engines']) {
      expect(all.includes(secret) ? secret : null).toBeNull()
    }
  })

  test('a redelivery does not continue the platform’s trace', async () => {
    const traceId = newTrace()
    const offering = await openOffering(traceparentOf(traceId))
    await receivedDelivery(first, offering)
    await spansOf(traceId, 2)
    const { list } = await first.manage('GET', `/webhook_endpoints/${first.endpoint}/deliveries`)
    const { status } = await first.manage(
      'POST',
      `/webhook_endpoints/${first.endpoint}/deliveries/${list[0]?.id}/redeliver`,
    )
    expect(status).toBe(202)
    const [, again] = await receivedDelivery(first, offering, 2)
    // New traces are not sampled (ratio 0), so the redelivery has no trace, and the first trace gets no further span.
    expect(again?.headers['traceparent']).toBeUndefined()
    expect(await spansOf(traceId, 2)).toBeDefined()
  })
})

describe('a fact of the platform in a trace that is not sampled', () => {
  test('has no span, and its deliveries have no trace headers', async () => {
    const traceId = newTrace()
    const offering = await openOffering(traceparentOf(traceId, '00'))
    const [one] = await receivedDelivery(first, offering)
    expect(one?.headers['traceparent']).toBeUndefined()
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([])
    const rows = await stage.service.db.sql<{ trace: string | null }>(
      `select trace from test.events where offering_id = $1`,
      [offering],
    )
    expect(rows).toEqual([{ trace: null }])
  })
})

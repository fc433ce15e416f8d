import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type CollectedSpan, type TraceCollector, traceCollector } from '#test/trace-collector.ts'
import { openStage, type Stage } from '../stage.ts'

/** Which data of a request the collector gets, and which it must not get. */

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`
const UNSAMPLED = `00-${TRACE}-b7ad6b7169203331-00`

let collector: TraceCollector
/** The service samples all requests. `rare` samples only requests that a trusted parent marks as sampled. */
let stage: Stage
let rare: Stage
beforeAll(async () => {
  collector = await traceCollector()
  const environment = {
    PORTICO_LIMITS: 'off',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20key',
    OTEL_SERVICE_NAME: 'portico-test',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
    OTEL_TRACES_SAMPLER_ARG: '1',
  }
  stage = await openStage({ environment })
  rare = await openStage({ environment: { ...environment, OTEL_TRACES_SAMPLER_ARG: '0' } })
})
afterAll(async () => {
  await stage.close()
  await rare.close()
  await collector.close()
})

type TracedRequest = {
  readonly path: string
  readonly bearer?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request and returns its id. */
async function request(on: Stage, { path, bearer, headers = {} }: TracedRequest, body?: string): Promise<string> {
  const response = await fetch(on.service.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...headers,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  await response.text()
  return response.headers.get('x-request-id') ?? ''
}

/** Returns the span of this request, once the collector has it. */
async function spanOf(id: string): Promise<CollectedSpan> {
  const find = () => collector.spans.find((span) => span.attributes['portico.request_id'] === id)
  await expect.poll(() => find()?.name).toBeDefined()
  return find() as CollectedSpan
}

const inTrace = ({ traceId }: CollectedSpan) => collector.spans.filter((span) => span.traceId === traceId)

const fact = (name: string) => {
  const id = newId('user')
  const data = { id, name, email: `${id}@example.org` }
  return JSON.stringify([{ id: newId('event'), type: 'user.registered', occurred_at: '2026-11-01T00:00:00Z', data }])
}

describe('a traced request', () => {
  test('has a span with the operation, route, status, request id, credential, world and time to admit it', async () => {
    const span = await spanOf(
      await request(stage, { path: '/platform/facts', bearer: stage.service.operatorKeys.test }, fact('Ada')),
    )
    expect(span.name).toBe('POST /platform/facts')
    expect(span.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/platform/facts',
      'http.response.status_code': 200,
      'portico.operation': 'applyFacts',
      'portico.credential': 'operator',
      'portico.world': 'test',
    })
    const admitMs = span.attributes['portico.admit_ms']
    expect(admitMs).toBeGreaterThan(0)
    expect(admitMs).toBeLessThanOrEqual(span.ms)
    expect(collector.resource).toMatchObject({ 'service.name': 'portico-test', 'deployment.environment.name': 'tests' })
    expect(collector.headers[0]).toMatchObject({ 'x-api-key': 'a key' })
  })

  test('has a span for each transaction, and in it one for each statement, by its name', async () => {
    const span = await spanOf(
      await request(stage, { path: '/platform/facts', bearer: stage.service.operatorKeys.test }, fact('Ada')),
    )
    const transactions = inTrace(span).filter(({ name }) => name === 'transaction')
    expect(transactions.length).toBeGreaterThan(0)
    expect(new Set(transactions.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([span.spanId]))
    const [first] = transactions
    const statements = inTrace(span).filter(({ parentSpanId }) => parentSpanId === first?.spanId)
    expect(statements.length).toBeGreaterThan(1)
    for (const { name, attributes } of statements) {
      expect(name).toMatch(/^[a-z_]+\.[a-z_.]+$/)
      expect(attributes['db.namespace']).toMatch(/^(test|platform)$/)
    }
  })

  test('has no name, address, token, query, body or text of a statement in any span', async () => {
    const { operatorKeys } = stage.service
    const id = await request(
      stage,
      { path: '/platform/facts?note=quiet-query', bearer: operatorKeys.test },
      fact('Grace Hopper'),
    )
    await spanOf(id)
    const found = await spanOf(
      await request(stage, { path: '/companies/search?q=quiet-query', headers: { 'user-agent': 'quiet-agent' } }),
    )
    expect(found.attributes['http.route']).toBe('/companies/search')
    const all = collector.bodies.join('\n')
    const key = operatorKeys.test.slice(8)
    for (const secret of [key, 'Hopper', 'example.org', 'quiet-', '127.0.0.1', 'insert into', 'select ']) {
      expect(all.includes(secret) ? secret : null).toBeNull()
    }
  })

  test('from a rejected caller has the error and no app', async () => {
    const span = await spanOf(await request(stage, { path: '/investments', bearer: 'at_test_unknown' }))
    expect(span.attributes).toMatchObject({ 'http.response.status_code': 401, 'portico.credential': 'none' })
    expect(span.attributes).not.toHaveProperty('portico.app_id')
    expect(span.isError).toBe(false)
  })
})

describe('a traceparent', () => {
  const facts = (on: Stage) => ({ path: '/platform/facts', bearer: on.service.operatorKeys.test })

  test('of an operator key is continued with its tracestate, even if other requests are not sampled', async () => {
    const headers = { traceparent: PARENT, tracestate: 'vendor=opaque' }
    const span = await spanOf(await request(rare, { ...facts(rare), headers }, fact('Ada')))
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: 'b7ad6b7169203331', traceState: 'vendor=opaque' })
  })

  test('of an operator key that is not sampled makes no span, even if other requests are sampled', async () => {
    const id = await request(stage, { ...facts(stage), headers: { traceparent: UNSAMPLED } }, fact('Ada'))
    await spanOf(await request(stage, facts(stage), fact('Ada')))
    expect(collector.spans.filter((span) => span.attributes['portico.request_id'] === id)).toEqual([])
  })

  test('of a stranger is linked, and its sampled flag has no effect', async () => {
    const headers = { traceparent: PARENT, tracestate: 'evil=1' }
    const id = await request(rare, { path: '/companies/search', headers })
    const span = await spanOf(await request(stage, { path: '/companies/search', headers }))
    expect(span.traceId).not.toBe(TRACE)
    expect(span.parentSpanId).toBe('')
    expect(span.links).toEqual([{ traceId: TRACE, spanId: 'b7ad6b7169203331', traceState: '' }])
    expect(collector.spans.filter((each) => each.attributes['portico.request_id'] === id)).toEqual([])
  })

  test.each([
    'nonsense',
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    `00-${TRACE}-0000000000000000-01`,
    `ff-${TRACE}-b7ad6b7169203331-01`,
    `${PARENT}-more`,
    `${PARENT}, ${PARENT}`,
    'a'.repeat(8_000),
  ])('that is malformed is ignored: %.60s', async (traceparent) => {
    const span = await spanOf(await request(stage, { ...facts(stage), headers: { traceparent } }, fact('Ada')))
    expect(span).toMatchObject({ parentSpanId: '', links: [] })
    expect(span.traceId).not.toBe(TRACE)
  })

  test.each([`k=${'v'.repeat(600)}`, Array.from({ length: 200 }, (_, at) => `k${at}=1`).join(','), '=,,=,\t;;='])(
    'with a hostile tracestate is continued without it: %.30s',
    async (tracestate) => {
      const headers = { traceparent: PARENT.replace('b7ad', 'c7ad'), tracestate }
      const span = await spanOf(await request(stage, { ...facts(stage), headers }, fact('Ada')))
      expect(span).toMatchObject({ traceId: TRACE, parentSpanId: 'c7ad6b7169203331', traceState: '' })
    },
  )
})

describe('with PORTICO_TRACE_PARENTS', () => {
  let gateway: Stage
  beforeAll(async () => {
    const environment = {
      PORTICO_LIMITS: 'off',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: '0',
      PORTICO_TRACE_PARENTS: '127.0.0.1',
    }
    gateway = await openStage({ environment })
  })
  afterAll(() => gateway.close())

  test('the trace of a request from a gateway is continued', async () => {
    const span = await spanOf(await request(gateway, { path: '/companies/search', headers: { traceparent: PARENT } }))
    expect(span).toMatchObject({ traceId: TRACE, links: [] })
  })
})

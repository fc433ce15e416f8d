import { describe, expect, onTestFinished, test } from 'vitest'
import { serveProbes } from '#http/testing/probe-app.ts'
import { movableClock } from '#test/clock.ts'
import { CACHED_MS, type Lag, type StatusFacts, statusReader, statusRoutes } from './status-routes.ts'

const NOTHING_WAITS: Lag = { ledger: 0, deliveries: 0 }
const ALL_OK: StatusFacts = { database: 'ok', workers: 'ok', lag: { live: NOTHING_WAITS, test: NOTHING_WAITS } }
const NO_DATABASE: StatusFacts = { database: 'unreachable', workers: 'silent', lag: null }
const late = (lag: Partial<Lag>): StatusFacts => ({
  ...ALL_OK,
  lag: { live: NOTHING_WAITS, test: { ...NOTHING_WAITS, ...lag } },
})

function reading(...found: readonly StatusFacts[]) {
  const clock = movableClock()
  let reads = 0
  const facts = async () => found[Math.min(reads++, found.length - 1)] ?? ALL_OK
  return { clock, facts, read: statusReader({ clock, facts }), reads: () => reads }
}

const stateOf = async (facts: StatusFacts) => {
  const { state, components } = await reading(facts).read()
  return [state, Object.fromEntries(components.map(({ name, state: one }) => [name, one]))]
}

describe('the status', () => {
  test('is ok if all parts are ok', async () => {
    const all = { api: 'ok', database: 'ok', workers: 'ok', ledger: 'ok', deliveries: 'ok' }
    expect(await stateOf(ALL_OK)).toEqual(['ok', all])
  })

  test.each([
    ['workers that record no activity', { ...ALL_OK, workers: 'silent' } as const, { workers: 'down' }],
    ['a late ledger', late({ ledger: 61 }), { ledger: 'degraded' }],
    ['late deliveries', late({ deliveries: 61 }), { deliveries: 'degraded' }],
  ])('is degraded with %s', async (_, facts, parts) => {
    expect(await stateOf(facts)).toEqual(['degraded', expect.objectContaining({ database: 'ok', ...parts })])
  })

  test('is down without the database, and marks workers, ledger and deliveries unknown', async () => {
    const parts = { api: 'ok', database: 'down', workers: 'unknown', ledger: 'unknown', deliveries: 'unknown' }
    expect(await stateOf(NO_DATABASE)).toEqual(['down', parts])
  })

  test('is read once for many concurrent requests, and again for requests after the cache has expired', async () => {
    const { clock, read, reads } = reading(ALL_OK)
    await Promise.all(Array.from({ length: 50 }, read))
    expect(reads()).toBe(1)
    clock.advance(CACHED_MS)
    await Promise.all(Array.from({ length: 50 }, read))
    expect(reads()).toBe(2)
  })

  test('has the time at which a part entered its state', async () => {
    const { clock, read } = reading(ALL_OK, NO_DATABASE, NO_DATABASE, ALL_OK)
    const sinceOf = async () => (await read()).components.find(({ name }) => name === 'database')?.sinceMs
    const startedMs = clock.now()
    clock.advance(60_000)
    expect(await sinceOf()).toBe(startedMs)
    clock.advance(CACHED_MS)
    const downMs = clock.now()
    expect(await sinceOf()).toBe(downMs)
    clock.advance(CACHED_MS)
    expect(await sinceOf()).toBe(downMs)
    clock.advance(CACHED_MS)
    expect(await sinceOf()).toBe(clock.now())
  })
})

describe('GET /status and /status.json', () => {
  const serving = async (facts: StatusFacts) => {
    const edge = await serveProbes(
      statusRoutes({ brand: 'Portico', clock: movableClock(), statusFacts: async () => facts }),
    )
    onTestFinished(() => edge.close())
    return async (path: string) => {
      const response = await fetch(edge.url + path)
      return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
    }
  }

  test.each([
    [ALL_OK, 200, 'Everything works'],
    [late({ ledger: 3_600 }), 200, 'Behind by less than a second (live) and 60 minutes (sandbox)'],
    [NO_DATABASE, 503, 'The service is down'],
  ])('%j: status %i, and the page contains “%s”', async (facts, status, words) => {
    const get = await serving(facts)
    const page = await get('/status')
    expect([page.status, page.type]).toEqual([status, 'text/html; charset=utf-8'])
    expect(page.text).toContain(words)
    const json = await get('/status.json')
    expect([json.status, json.type]).toEqual([status, 'application/json; charset=utf-8'])
  })
})

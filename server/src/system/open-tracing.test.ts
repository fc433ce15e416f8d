import { ExportResultCode } from '@opentelemetry/core'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { afterEach, describe, expect, test } from 'vitest'
import { freePort } from '#test/free-port.ts'
import { type TraceCollector, traceCollector } from '#test/trace-collector.ts'
import { openLog } from './log.ts'
import type { SpanOutcome } from './metrics.ts'
import { openTracing, SpanBatches } from './open-tracing.ts'
import { activeSpan, inSpan, SPANS_MAX, type Tracing, type TracingSettings, withSpan } from './tracing.ts'

/** Tests the effect of an unreachable or slow collector, and what a trace contains. */

let closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  closing = []
})

type Opened = { readonly tracing: Tracing; readonly counted: Record<SpanOutcome, number>; readonly lines: string[] }

function open(endpoint: string, more: Partial<TracingSettings> = {}): Opened {
  const counted = { exported: 0, failed: 0, dropped: 0 }
  const lines: string[] = []
  const tracing = openTracing(
    { endpoint, headers: {}, serviceName: 'portico', resource: {}, sampler: 'always_on', ratio: 1, ...more },
    {
      log: openLog('info', { write: (line: string) => void lines.push(line) }, true),
      metrics: {
        spans: (outcome, count) => {
          counted[outcome] += count
        },
      },
    },
  )
  closing.push(() => tracing.close())
  return { tracing, counted, lines }
}

async function collector(): Promise<TraceCollector> {
  const opened = await traceCollector()
  closing.push(() => opened.close())
  return opened
}

/** Begins and ends this many traces. */
function makeSpans(tracing: Tracing, count: number): void {
  for (let made = 0; made < count; made++) tracing.start('probe', { kind: 'INTERNAL' })?.end()
}

describe('the export', () => {
  test('sends every span when it is closed', async () => {
    const { url, spans } = await collector()
    const { tracing, counted } = open(url)
    makeSpans(tracing, 300)
    await tracing.close()
    expect(spans).toHaveLength(300)
    expect(counted).toEqual({ exported: 300, failed: 0, dropped: 0 })
  })

  test('to a collector that never answers drops spans when the queue is full, and blocks neither callers nor shutdown', async () => {
    const { url, answerWith } = await collector()
    answerWith(null)
    const { tracing, counted } = open(url)
    makeSpans(tracing, 10_000)
    // Spans that still wait are dropped when tracing is closed.
    expect(counted.dropped).toBeGreaterThan(7_000)
    await tracing.close()
    expect(counted.exported).toBe(0)
    // Every span is dropped, except those of the batch that is being sent.
    expect(counted.dropped).toBe(10_000 - 512)
  })

  test('to a collector that cannot be reached logs one line', async () => {
    const { tracing, counted, lines } = open(`http://127.0.0.1:${await freePort()}`)
    makeSpans(tracing, 200)
    await expect.poll(() => counted.failed, { timeout: 30_000 }).toBe(200)
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['traces cannot be exported'])
  })

  test('with an exporter that throws counts the spans as failed, and tries the next batch', async () => {
    const counted = { exported: 0, failed: 0, dropped: 0 }
    const exported: number[] = []
    const exporter: ConstructorParameters<typeof SpanBatches>[0] = {
      export: (spans, done) => {
        exported.push(spans.length)
        if (exported.length === 1) throw new RangeError('Invalid string length')
        done({ code: ExportResultCode.SUCCESS })
      },
      shutdown: async () => {},
    }
    const batches = new SpanBatches(exporter, {
      log: openLog('silent'),
      metrics: { spans: (outcome, count) => (counted[outcome] += count) },
    })
    const tracer = new BasicTracerProvider({ spanProcessors: [batches] }).getTracer('probe')
    for (let made = 0; made < 600; made++) tracer.startSpan('probe').end()
    await batches.shutdown()
    expect(exported).toEqual([512, 88])
    expect(counted).toEqual({ exported: 88, failed: 512, dropped: 0 })
  })
})

describe('a trace', () => {
  test(`has at most ${SPANS_MAX} spans besides its first span, which has the number of missing spans`, async () => {
    const { url, spans } = await collector()
    const { tracing } = open(url)
    const first = tracing.start('many', { kind: 'SERVER' })
    for (let made = 0; made < SPANS_MAX + 25; made++) first?.child('part', {})?.end()
    first?.end()
    await tracing.close()
    expect(spans.filter(({ name }) => name === 'part')).toHaveLength(SPANS_MAX)
    expect(spans.find(({ name }) => name === 'many')?.attributes['portico.spans_left_out']).toBe(25)
  })

  test('of a job’s round without work has no span', async () => {
    const { url, spans } = await collector()
    const { tracing } = open(url)
    for (const isEffect of [false, true]) {
      const round = tracing.start('job', { kind: 'INTERNAL', discardIfIdle: true })
      round?.statement({ name: `took ${isEffect}`, place: 'test', isReplica: false, startedMs: 0, rows: 1, isEffect })
      round?.end()
    }
    await tracing.close()
    expect(spans.map(({ name }) => name).toSorted()).toEqual(['job', 'took true'])
  })

  test('ends with its span: work that continues after the span does not belong to the trace', async () => {
    const { tracing } = open((await collector()).url)
    const span = tracing.start('request', { kind: 'SERVER' })
    if (span === null) throw new Error('the span is not sampled')
    const later = Promise.withResolvers<void>()
    const outlives = inSpan(span, async () => {
      const during = activeSpan()
      await later.promise
      return { during, after: activeSpan() }
    })
    span.end()
    later.resolve()
    expect(await outlives).toEqual({ during: span, after: null })
  })

  test('has the kind of an error, and not its message', async () => {
    const { url, spans, bodies } = await collector()
    const { tracing } = open(url)
    const span = tracing.start('request', { kind: 'SERVER' })
    if (span === null) throw new Error('the span is not sampled')
    const work = withSpan(span, () => Promise.reject(new TypeError('ada@example.org is a bad number')))
    await expect(work).rejects.toThrow(TypeError)
    await tracing.close()
    expect(spans[0]).toMatchObject({ isError: true, attributes: { 'error.type': 'TypeError' } })
    expect(bodies.join('')).not.toContain('ada@')
  })

  test('has its id in the lines that are logged during it', async () => {
    const { tracing, lines } = open((await collector()).url)
    const span = tracing.start('request', { kind: 'SERVER' })
    if (span === null) throw new Error('the span is not sampled')
    const log = openLog('info', { write: (line: string) => void lines.push(line) }, true)
    inSpan(span, () => log.info('inside'))
    log.info('outside')
    expect(lines.map((line) => JSON.parse(line).trace_id)).toEqual([span.traceId, undefined])
  })

  test('is sampled with the probability of the setting', async () => {
    const { tracing } = open((await collector()).url, { sampler: 'parentbased_traceidratio', ratio: 0.1 })
    const sampled = Array.from({ length: 4_000 }, () => tracing.start('probe', { kind: 'INTERNAL' }))
    const share = sampled.filter((span) => span !== null).length / sampled.length
    expect(share).toBeGreaterThan(0.05)
    expect(share).toBeLessThan(0.15)
  })
})

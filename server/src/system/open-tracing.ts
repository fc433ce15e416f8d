import { type Context, isSpanContextValid, type Link, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { ActiveSpan, nowMs, SPANS_MAX, type TraceCause, type Tracing, type TracingSettings } from './tracing.ts'

type Around = { readonly log: Pick<Log, 'info' | 'warn'>; readonly metrics: Pick<Metrics, 'spans'> }

/** Loaded by `import()`, and only if traces are exported: the library takes 23 MB and about a second in each thread. */
export function openTracing(settings: TracingSettings, around: Around): Tracing {
  const { endpoint, headers, serviceName, resource } = settings
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: EXPORT_MS,
  })
  const batches = new SpanBatches(exporter, around)
  const shared = {
    resource: resourceFromAttributes({ ...resource, 'service.name': serviceName }),
    spanLimits: { attributeCountLimit: 32, attributeValueLengthLimit: 256, linkCountLimit: 32, eventCountLimit: 0 },
    spanProcessors: [batches],
  }
  const tracerWith = (sampler: Sampler) => new BasicTracerProvider({ ...shared, sampler }).getTracer('portico')
  const continuing = tracerWith(samplerOf(settings))
  const beginning = tracerWith(new AlwaysOnSampler())
  const takesNew = samplesNew(settings)
  return {
    start(name, { kind, attributes = {}, startedMs = nowMs(), cause = null, discardIfIdle = false }) {
      // Sampling is decided before anything is created: most requests are not sampled, and this comparison is their only cost.
      const before = cause?.continues === true ? contextOf(cause) : null
      if (before === null && !takesNew()) return null
      const tracer = before === null ? beginning : continuing
      const options = {
        kind: SpanKind[kind],
        startTime: startedMs,
        attributes: typeof attributes === 'function' ? attributes() : attributes,
        links: before === null ? linksTo(cause) : [],
      }
      const span = tracer.startSpan(name, options, before ?? ROOT_CONTEXT)
      if (!span.isRecording()) return null
      return new ActiveSpan(span, {
        make: (child, begun, parent) =>
          tracer.startSpan(
            child,
            { kind: SpanKind[begun.kind], startTime: begun.startedMs, attributes: begun.attributes },
            trace.setSpan(ROOT_CONTEXT, parent),
          ),
        left: SPANS_MAX,
        isIdle: discardIfIdle,
      })
    },
    close: () => batches.shutdown(),
  }
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  if (sampler === 'always_on' || sampler === 'always_off' || sampler === 'traceidratio') return root[sampler]()
  return new ParentBasedSampler({ root: root[sampler.slice('parentbased_'.length) as keyof typeof root]() })
}

/**
 * Whether a trace that begins here is sampled. The library's sampler would decide by the new trace's random id, after it has
 * created the id and a span. That would cost five microseconds for each request that is not sampled.
 */
function samplesNew({ sampler, ratio }: TracingSettings): () => boolean {
  if (sampler.endsWith('always_on')) return () => true
  if (sampler.endsWith('always_off')) return () => false
  return () => Math.random() < ratio
}

const W3C = new W3CTraceContextPropagator()

/** Null for an invalid traceparent, which is ignored. */
function contextOf({ traceparent, tracestate }: TraceCause): Context | null {
  const context = W3C.extract(ROOT_CONTEXT, { traceparent, tracestate: boundedState(tracestate) }, READ_HEADERS)
  const caused = trace.getSpanContext(context)
  return caused !== undefined && isSpanContextValid(caused) ? context : null
}

/** If a trace does not continue its cause but has a link to it, the cause's tracestate is ignored: an unknown client wrote it. */
function linksTo(cause: TraceCause | null): Link[] {
  const context = cause === null || cause.continues ? null : contextOf({ ...cause, tracestate: undefined })
  const caused = context === null ? undefined : trace.getSpanContext(context)
  return caused === undefined ? [] : [{ context: caused }]
}

/** "Vendors SHOULD propagate at least 512 characters". A longer tracestate is dropped before it is parsed. */
const STATE_CHARS_MAX = 512

function boundedState(tracestate: string | undefined): string | undefined {
  return tracestate !== undefined && tracestate.length <= STATE_CHARS_MAX ? tracestate : undefined
}

type Headers = Readonly<Record<string, string | undefined>>
const READ_HEADERS = {
  get: (headers: Headers, name: string) => headers[name],
  keys: (headers: Headers) => Object.keys(headers),
}

/** About 4 MB. Spans that find the queue full are dropped. */
const QUEUE_MAX = 2_048
/** Writing a batch as JSON blocks the thread, for one to four milliseconds. Each batch is a request, which costs as much as twenty spans. */
const BATCH_MAX = 512
const WAIT_MS = 1_000
/** How long one batch may take, with all retries. */
const EXPORT_MS = 5_000
const CLOSE_MS = 2_000

/**
 * Exports one batch at a time. If the collector is dead or slow, spans that do not fit into the queue are dropped. No request
 * waits for the collector, and a stop waits for it `CLOSE_MS` at most. The library's own processor does not report how many
 * spans it drops.
 */
export class SpanBatches implements SpanProcessor {
  readonly #exporter: SpanExporter
  readonly #around: Around
  #queue: ReadableSpan[] = []
  #timer: NodeJS.Timeout | null = null
  #exporting: Promise<void> | null = null
  #isReached = true
  #isClosed = false

  constructor(exporter: SpanExporter, around: Around) {
    this.#exporter = exporter
    this.#around = around
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#isClosed || this.#queue.length >= QUEUE_MAX) {
      this.#around.metrics.spans('dropped', 1)
      return
    }
    this.#queue.push(span)
    if (this.#exporting !== null) return
    if (this.#queue.length >= BATCH_MAX) this.#export()
    else this.#timer ??= setTimeout(() => this.#export(), WAIT_MS).unref()
  }

  #export(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#exporting ??= this.#exportAll().finally(() => {
      this.#exporting = null
    })
  }

  async #exportAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, BATCH_MAX)
      // No caller awaits this promise, so an exporter that throws would otherwise end the process.
      const error = await new Promise<Error | null>((resolve) => {
        this.#exporter.export(batch, (result) =>
          resolve(result.code === ExportResultCode.SUCCESS ? null : (result.error ?? new Error('spans rejected'))),
        )
      }).catch((thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown))))
      this.#around.metrics.spans(error === null ? 'exported' : 'failed', batch.length)
      this.#report(error)
    }
  }

  /** Logs one line when the collector is lost, and one line when it is back. */
  #report(error: Error | null): void {
    const isReached = error === null
    if (isReached === this.#isReached) return
    this.#isReached = isReached
    if (isReached) this.#around.log.info('traces are exported again')
    else this.#around.log.warn({ reason: error.message }, 'traces cannot be exported')
  }

  async forceFlush(): Promise<void> {
    this.#export()
    await this.#exporting
  }

  async shutdown(): Promise<void> {
    this.#isClosed = true
    const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref())
    await Promise.race([this.forceFlush(), late])
    this.#around.metrics.spans('dropped', this.#queue.length)
    this.#queue = []
    void this.#exporter.shutdown()
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Span } from '@opentelemetry/api'
import type { World } from '#kernel/world.ts'

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** The settings of traces, as plain data that can be sent to a thread. */
export type TracingSettings = {
  /** The collector; `/v1/traces` is appended. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: (typeof SAMPLERS)[number]
  /** The share of traces that are sampled, for samplers whose name ends with `ratio`. */
  readonly ratio: number
}

/**
 * The interface of traces, without the library that exports them: only `open-tracing.ts` loads the library, if tracing is on. If
 * tracing is off, there are no spans, and each request only compares a value with null.
 */
export type Tracing = {
  /** Begins a trace, or continues the trace of the cause. Null if the trace is not sampled. */
  start(name: string, span: NewSpan): ActiveSpan | null
  /** Sends the spans that still wait, for two seconds at most. */
  close(): Promise<void>
}

export type NewSpan = {
  readonly kind: 'SERVER' | 'INTERNAL' | 'CLIENT'
  /** If this is a function, it is called only if the span is sampled. */
  readonly attributes?: Attributes | (() => Attributes)
  /** Milliseconds since 1970, with fractions; now if absent. */
  readonly startedMs?: number
  readonly cause?: TraceCause | null
  /** Discards the span if its work had no effect, such as the round of a job that found no work. */
  readonly discardIfIdle?: boolean
}

/** `continues`: the span belongs to the trace of its cause. Otherwise it begins a trace and has a link to its cause. */
export type TraceCause = {
  readonly traceparent: string
  readonly tracestate?: string | undefined
  readonly continues: boolean
}

type Begun = Required<Pick<NewSpan, 'kind' | 'startedMs'>> & { readonly attributes: Attributes }

/** The spans of one trace in this process. */
type LocalTrace = { readonly make: (name: string, begun: Begun, parent: Span) => Span; left: number; isIdle: boolean }

/** A request with a thousand facts has a thousand transactions. Spans beyond this number are only counted. */
export const SPANS_MAX = 500

const FAILED = 2

/** A span of a sampled trace. */
export class ActiveSpan {
  readonly #span: Span
  readonly #trace: LocalTrace
  readonly traceId: string
  /** The W3C header of a request that this span causes. */
  readonly traceparent: string
  isOver = false

  constructor(span: Span, trace: LocalTrace) {
    const { traceId, spanId } = span.spanContext()
    this.#span = span
    this.#trace = trace
    this.traceId = traceId
    this.traceparent = `00-${traceId}-${spanId}-01`
  }

  /** Null if the trace already has `SPANS_MAX` spans. */
  child(name: string, attributes: Attributes): ActiveSpan | null {
    const span = this.#make(name, { kind: 'INTERNAL', attributes, startedMs: nowMs() })
    return span === null ? null : new ActiveSpan(span, this.#trace)
  }

  /** Adds a span for a statement that has ended, with its name and without its text and values. */
  statement({ name, place, isReplica, startedMs, rows, isEffect, error }: EndedStatement): void {
    if (isEffect) this.act()
    if (this.#trace.isIdle) return
    const attributes = { 'db.system.name': 'postgresql', 'db.namespace': place, 'db.query.summary': name }
    const span = this.#make(name, { kind: 'CLIENT', attributes, startedMs })
    if (span === null) return
    if (isReplica) span.setAttribute('portico.replica', true)
    if (error === undefined) span.setAttribute('db.response.returned_rows', rows)
    else failed(span, error)
    span.end(nowMs())
  }

  /** Records that the work had an effect, so that the span is not discarded. */
  act(): void {
    this.#trace.isIdle = false
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes)
  }

  /** Records only the kind of an error, because its message may contain values. */
  fail(error: unknown): void {
    this.act()
    failed(this.#span, error)
  }

  end(): void {
    this.isOver = true
    if (this.#trace.isIdle) return
    if (this.#trace.left < 0) this.#span.setAttribute('portico.spans_left_out', -this.#trace.left)
    this.#span.end(nowMs())
  }

  #make(name: string, begun: Begun): Span | null {
    this.#trace.left--
    return this.#trace.left < 0 ? null : this.#trace.make(name, begun, this.#span)
  }
}

export type EndedStatement = {
  readonly name: string
  readonly place: World | 'platform'
  /** Whether the statement ran on a read replica. */
  readonly isReplica: boolean
  readonly startedMs: number
  readonly rows: number
  /** Whether the statement wrote rows or returned a list with rows. A read of one row does not count. */
  readonly isEffect: boolean
  readonly error?: unknown
}

function failed(span: Span, error: unknown): void {
  span.setStatus({ code: FAILED })
  span.setAttribute('error.type', typeof error === 'string' ? error : error instanceof Error ? error.name : 'unknown')
}

/** Milliseconds since 1970, with fractions. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now()
}

/** The current span of code that runs in a sampled trace. */
const active = new AsyncLocalStorage<ActiveSpan>()

export function inSpan<T>(span: ActiveSpan, work: () => T): T {
  return active.run(span, work)
}

/**
 * Null outside of a sampled trace, and after the span has ended: work that continues after a request does not belong to its
 * trace.
 */
export function activeSpan(): ActiveSpan | null {
  const span = active.getStore()
  return span === undefined || span.isOver ? null : span
}

/** Runs the work in this span, and ends the span with the work. */
export async function withSpan<T>(span: ActiveSpan, work: () => Promise<T>): Promise<T> {
  try {
    return await inSpan(span, work)
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}

import { type IncomingMessage, ServerResponse } from 'node:http'
import type { AccountCaller, Caller } from '#kernel/caller.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { ActiveSpan, TraceCause, Tracing } from '#system/tracing.ts'
import type { Browser } from './browser/cookies.ts'
import { type Target, targetOf } from './client-address.ts'
import type { Edge, ServedRoute } from './edge.ts'
import { awaitsContinue } from './input/read-body.ts'
import type { Counted } from './rate-limit.ts'
import type { Failure } from './render-error.ts'
import type { LiveWriter } from './response-bodies.ts'
import type { ErrorStyle } from './route.ts'
import type { Params } from './router.ts'
import { knownVersion, NEWEST, type Version } from './versions.ts'

/** Header names are in lower case, so that a later value replaces an earlier one, however its name was written. */
export type SentHeaders = Record<string, string | string[]>

const NO_PARAMS: Params = {}
const NOTHING_AHEAD = Promise.reject<never>(new Error('the route declares no `ahead`'))
NOTHING_AHEAD.catch(() => {})

/**
 * Node's response object with a reference to its exchange. For invalid HTTP Node passes only the socket. The exchange is then found
 * through the response that Node stores on the socket.
 */
export class ExchangeResponse extends ServerResponse {
  exchange: Exchange | null = null
}

/** One request and its response, with everything that the edge finds out about them. */
export class Exchange {
  readonly startedMs = performance.now()
  /**
   * The id is always generated here. If clients chose it, two requests could have the same id, and the log could not distinguish
   * them.
   */
  readonly id: Id<'request'>
  readonly request: IncomingMessage
  readonly response: ExchangeResponse
  readonly target: Target
  /** Sent with every response to the request. */
  readonly headers: SentHeaders
  /** Null until a route is found, and if no route matches. */
  served: ServedRoute | null = null
  params: Params = NO_PARAMS
  /** Whether the client waits for 100 Continue before it sends its body. */
  awaitsContinue: boolean
  body: unknown = undefined
  ahead: Promise<unknown> = NOTHING_AHEAD
  version: Version
  caller: Caller | AccountCaller | null = null
  /** The counts of the rate limits; null if the route has none. */
  counted: Counted | null = null
  /** Null on routes that do not serve people. */
  browser: Browser | null = null
  /** Whether a person's command line sent the request, with a bearer token instead of a cookie. */
  isCommandLine = false
  /** The reason for the request, as the operator gave it. */
  reason: string | null = null
  errorsAs: ErrorStyle = 'envelope'
  failure: Failure | null = null
  /** Null if the trace is not sampled, and before the caller is known. */
  span: ActiveSpan | null = null
  /** Whether the decision about `span` was made. */
  isTraced = false
  /** The writer of a live response. */
  live: LiveWriter | null = null
  /**
   * The status of an error response that was written directly to the socket because the rest of the request was not valid HTTP.
   */
  brokenWith: number | null = null

  constructor(edge: Edge, request: IncomingMessage, response: ExchangeResponse) {
    this.id = newId('request', edge.ports.clock.now())
    this.request = request
    this.response = response
    this.target = targetOf(request.url ?? '')
    this.awaitsContinue = awaitsContinue(request.headers)
    this.headers = { ...edge.headers, 'x-request-id': this.id, 'x-wf-request-id': this.id }
    // Until the caller is known, responses use the requested version, if any.
    this.version = knownVersion(headerOf(this, edge.versionHeader)) ?? NEWEST
    this.headers[edge.versionHeader] = this.version
    response.exchange = this
  }

  get method(): string {
    return this.request.method ?? ''
  }
}

export function headerOf({ request }: Exchange, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}

export function addHeaders(headers: SentHeaders, more: Readonly<Record<string, string | readonly string[]>>): void {
  for (const name in more) {
    const value = more[name]
    if (value !== undefined) headers[name.toLowerCase()] = typeof value === 'string' ? value : [...value]
  }
}

export function setVersion(edge: Edge, exchange: Exchange, version: Version): void {
  exchange.version = version
  exchange.headers[edge.versionHeader] = version
}

/**
 * Decides whether the request is traced, once the caller is known. Only the platform decides what is sampled: the trace of an
 * operator key's request, or of a gateway in `traceParents`, is continued. Any other caller could set the sampled flag of every
 * request. So its request begins a new trace with our own sampling and a link to the caller's trace.
 */
export function beginRequestSpan(edge: Edge, exchange: Exchange): ActiveSpan | null {
  const { tracing = null } = edge.ports
  return tracing === null ? null : spanOf(tracing, edge, exchange)
}

/** Ends the span of a request. If the request was rejected before its caller was known, the span is also created here. */
export function endRequestSpan(edge: Edge, exchange: Exchange, status: number): void {
  const { tracing = null } = edge.ports
  if (tracing === null) return
  const span = exchange.isTraced ? exchange.span : spanOf(tracing, edge, exchange)
  if (span === null) return
  span.set({ 'http.response.status_code': status })
  if (exchange.failure !== null) span.set({ 'error.type': exchange.failure.type })
  if (status >= 500) span.fail(exchange.failure?.type ?? 'internal_error')
  span.end()
}

/**
 * A span contains only patterns and ids, because the path, the query, the address, headers and bodies may contain personal data
 * and secrets.
 */
function spanOf(tracing: Tracing, edge: Edge, exchange: Exchange): ActiveSpan | null {
  const { served, caller } = exchange
  const route = served?.route
  const startedMs = performance.timeOrigin + exchange.startedMs
  exchange.isTraced = true
  exchange.span = tracing.start(route === undefined ? 'unmatched' : `${route.method} ${route.path}`, {
    kind: 'SERVER',
    startedMs,
    cause: causeOf(edge, exchange),
    attributes: () => ({
      'portico.request_id': exchange.id,
      // An attribute and not a span, because a span would add a fifth to the cost of a trace.
      'portico.admit_ms': Math.round((performance.now() - exchange.startedMs) * 100) / 100,
      'portico.credential': caller?.kind ?? 'none',
      ...(route === undefined
        ? {}
        : { 'http.request.method': route.method, 'http.route': route.path, 'portico.operation': route.operation }),
      ...(caller !== null && 'world' in caller ? { 'portico.world': caller.world } : {}),
      ...(caller !== null && 'appId' in caller ? { 'portico.app_id': caller.appId } : {}),
    }),
  })
  return exchange.span
}

function causeOf(edge: Edge, exchange: Exchange): TraceCause | null {
  const traceparent = headerOf(exchange, 'traceparent')
  if (traceparent === undefined) return null
  const { caller } = exchange
  const continues = (caller?.kind === 'operator' && caller.session === null) || edge.isTraceParent(exchange.request)
  return { traceparent, tracestate: headerOf(exchange, 'tracestate'), continues }
}

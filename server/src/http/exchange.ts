import { type IncomingMessage, ServerResponse } from 'node:http'
import type { AccountCaller, Caller } from '#kernel/caller.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Browser } from './browser/cookies.ts'
import { type Target, targetOf } from './client-address.ts'
import type { Edge, ServedRoute } from './edge.ts'
import { awaitsLeave } from './input/read-body.ts'
import type { Counted } from './rate-limit.ts'
import type { Failure } from './render-error.ts'
import type { LiveWriter } from './response-bodies.ts'
import type { ErrorStyle } from './route.ts'
import type { Params } from './router.ts'
import { knownVersion, NEWEST, type Version } from './versions.ts'

/** Names in lower case, so that a later value replaces an earlier one in any spelling. */
export type SentHeaders = Record<string, string | string[]>

const NO_PARAMS: Params = {}
const NOTHING_AHEAD = Promise.reject<never>(new Error('the route declares no `ahead`'))
NOTHING_AHEAD.catch(() => {})

/** Node's response object with its exchange: on a broken connection Node reports only the response. */
export class ExchangeResponse extends ServerResponse {
  exchange: Exchange | null = null
}

/** One request and its response, with everything that the edge finds out about them. */
export class Exchange {
  readonly startedMs = performance.now()
  /**
   * Always generated here. If clients chose it, two requests could have the same id, and neither could be found in the
   * log.
   */
  readonly id: Id<'request'>
  readonly request: IncomingMessage
  readonly response: ExchangeResponse
  readonly target: Target
  /** Sent with every response to the request. */
  readonly headers: SentHeaders
  /** Null until a route is found, and if none is. */
  served: ServedRoute | null = null
  params: Params = NO_PARAMS
  /** Whether the client waits for 100 Continue before it sends its body. */
  awaitsLeave: boolean
  body: unknown = undefined
  ahead: Promise<unknown> = NOTHING_AHEAD
  version: Version
  caller: Caller | AccountCaller | null = null
  /** The counts of the rate limits; null if the route has none. */
  counted: Counted | null = null
  /** Null on routes that do not serve people. */
  browser: Browser | null = null
  /** Whether a person's command line sent it, with a bearer token instead of a cookie. */
  isCommandLine = false
  /** The reason for the request, as the operator gave it. */
  reason: string | null = null
  errorsAs: ErrorStyle = 'envelope'
  failure: Failure | null = null
  /** The writer of a live response. */
  live: LiveWriter | null = null
  /** The status of an error response that was written directly to the socket, because the request became invalid HTTP. */
  brokenWith: number | null = null

  constructor(edge: Edge, request: IncomingMessage, response: ExchangeResponse) {
    this.id = newId('request', edge.ports.clock.now())
    this.request = request
    this.response = response
    this.target = targetOf(request.url ?? '')
    this.awaitsLeave = awaitsLeave(request.headers)
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

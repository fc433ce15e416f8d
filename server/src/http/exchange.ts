import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccountCaller, Caller } from '#kernel/caller.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Browser } from './browser/browser.ts'
import type { Edge, ServedRoute } from './edge.ts'
import type { Failure } from './render-error.ts'
import type { ErrorStyle } from './route.ts'
import type { Params } from './router.ts'
import { knownVersion, NEWEST, type Version } from './versions.ts'

/** Names in lower case, so that a later value takes the place of an earlier one however it is spelled. */
export type AnswerHeaders = Record<string, string | string[]>

const NO_PARAMS: Params = {}

/** One request and its answer on their way through the edge, with what the edge learns about them. */
export class Exchange {
  readonly startedMs = performance.now()
  /** Ours and never the client's: an id that two requests share would find neither in the log. */
  readonly id: Id<'request'>
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly queryText: string
  readonly headers: AnswerHeaders
  /** Null until a route is found, and where none is. */
  served: ServedRoute | null = null
  params: Params = NO_PARAMS
  body: unknown = undefined
  version: Version
  caller: Caller | AccountCaller | null = null
  /** Null where no people are served. */
  browser: Browser | null = null
  errorsAs: ErrorStyle = 'envelope'
  failure: Failure | null = null

  constructor(edge: Edge, request: IncomingMessage, response: ServerResponse) {
    const url = request.url ?? ''
    const end = url.search(PATH_END)
    this.id = newId('request', edge.ports.clock.now())
    this.request = request
    this.response = response
    this.path = end === -1 ? url : url.slice(0, end)
    this.queryText = end === -1 ? '' : url.slice(end + 1)
    this.headers = { ...edge.headers, 'x-request-id': this.id, 'x-wf-request-id': this.id }
    // Until the caller is known, answers speak the version asked for if there is one.
    this.version = knownVersion(headerOf(this, edge.versionHeader)) ?? NEWEST
    this.headers[edge.versionHeader] = this.version
  }

  get method(): string {
    return this.request.method ?? ''
  }
}

const PATH_END = /[?#]/

/** One header of the request. */
export function headerOf({ request }: Exchange, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Headers of the answer. */
export function setHeaders({ headers }: Exchange, more: Readonly<Record<string, string | readonly string[]>>): void {
  for (const name in more) {
    const value = more[name]
    if (value !== undefined) headers[name.toLowerCase()] = typeof value === 'string' ? value : [...value]
  }
}

export function setVersion(edge: Edge, exchange: Exchange, version: Version): void {
  exchange.version = version
  exchange.headers[edge.versionHeader] = version
}

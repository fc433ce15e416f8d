import type { Operations } from './api-types.ts'
import { type Credential, sendWith } from './credentials.ts'
import { EventStream, type EventStreamOptions } from './event-stream.ts'
import { type AnyPage, List } from './list.ts'
import { Transport, type TransportOptions } from './transport.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type OperationOf<M extends Method, P extends string> = Operations[`${M} ${P}` & keyof Operations]

/** The paths of the operations with this method, as in the reference: `/investments/{id}`. */
export type PathOf<M extends Method> = Extract<keyof Operations, `${M} ${string}`> extends `${M} ${infer P}` ? P : never

/** The body of a successful response. */
export type ResponseOf<M extends Method, P extends PathOf<M>> = OperationOf<M, P>['response']

/** The paths of lists. */
export type ListPath = {
  [P in PathOf<'GET'>]: ResponseOf<'GET', P> extends AnyPage<unknown> ? P : never
}[PathOf<'GET'>]
export type RowOf<P extends ListPath> = ResponseOf<'GET', P> extends { data: Array<infer Row> } ? Row : never

export type CallOptions = {
  readonly signal?: AbortSignal
  /** Replaces the client’s timeout for this call. */
  readonly timeoutMs?: number
  /** Replaces the random Idempotency-Key of a POST. Use the same key when your own program repeats a POST after a crash. */
  readonly idempotencyKey?: string
  readonly headers?: Readonly<Record<string, string>>
}
type Parameters<O> = Pick<O, Extract<keyof O, 'path' | 'query' | 'body'>>
type Arguments<O> =
  Record<never, never> extends Parameters<O>
    ? [options?: Parameters<O> & CallOptions]
    : [options: Parameters<O> & CallOptions]

export type ClientOptions = TransportOptions & { readonly credential: Credential }

/** A response with its status and headers. */
export type Answer<T> = {
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
  readonly body: T
}

/** Calls the API with one credential. Create a client for each credential, because each credential has its own rate limits. */
export class Client {
  readonly #transport: Transport
  readonly #credential: Credential

  constructor({ credential, ...options }: ClientOptions) {
    this.#transport = new Transport(options)
    this.#credential = credential
  }

  get<P extends PathOf<'GET'>>(path: P, ...[options]: Arguments<OperationOf<'GET', P>>): Promise<ResponseOf<'GET', P>> {
    return this.#body('GET', path, options)
  }

  post<P extends PathOf<'POST'>>(
    path: P,
    ...[options]: Arguments<OperationOf<'POST', P>>
  ): Promise<ResponseOf<'POST', P>> {
    return this.#body('POST', path, options)
  }

  put<P extends PathOf<'PUT'>>(path: P, ...[options]: Arguments<OperationOf<'PUT', P>>): Promise<ResponseOf<'PUT', P>> {
    return this.#body('PUT', path, options)
  }

  patch<P extends PathOf<'PATCH'>>(
    path: P,
    ...[options]: Arguments<OperationOf<'PATCH', P>>
  ): Promise<ResponseOf<'PATCH', P>> {
    return this.#body('PATCH', path, options)
  }

  delete<P extends PathOf<'DELETE'>>(
    path: P,
    ...[options]: Arguments<OperationOf<'DELETE', P>>
  ): Promise<ResponseOf<'DELETE', P>> {
    return this.#body('DELETE', path, options)
  }

  /** Reads every row of a list, page by page: `for await (const row of client.list('/explore'))`. */
  list<P extends ListPath>(
    path: P,
    ...[options]: Arguments<OperationOf<'GET', P>>
  ): List<RowOf<P>, ResponseOf<'GET', P>> {
    const request: Untyped = options ?? {}
    return new List(async (cursor) => {
      const query = { per_page: 100, ...(request.query as object), ...(cursor !== undefined && { cursor }) }
      return this.#body<AnyPage<RowOf<P>>>('GET', path, { ...request, query })
    })
  }

  /** Like `get()`, `post()` and so on, but returns the status and the headers too. A 304 after `If-None-Match` has no body. */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[options]: Arguments<OperationOf<M, P>>
  ): Promise<Answer<ResponseOf<M, P>>> {
    return this.#send(method, path, options) as Promise<Answer<ResponseOf<M, P>>>
  }

  /**
   * Streams the app’s events over a connection that stays open. If the connection breaks, a new connection continues after the
   * last event.
   */
  streamEvents(options: EventStreamOptions = {}): EventStream {
    return new EventStream(this.#transport, this.#credential, options)
  }

  async #body<T>(method: Method, path: string, options: Untyped | undefined): Promise<T> {
    return (await this.#send(method, path, options)).body as T
  }

  async #send(method: Method, path: string, options: Untyped = {}): Promise<Answer<unknown>> {
    const { idempotencyKey = crypto.randomUUID(), signal, timeoutMs } = options
    return sendWith(this.#transport, this.#credential, {
      method,
      path: addressOf(path, options),
      headers: { ...(method === 'POST' && { 'Idempotency-Key': idempotencyKey }), ...options.headers },
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      // A second GET, PUT or DELETE is harmless, and so is a second POST with the same key. A second PATCH may overwrite another
      // change.
      isRepeatable: method !== 'PATCH',
      signal,
      timeoutMs,
    })
  }
}

type Untyped = CallOptions & { readonly path?: unknown; readonly query?: unknown; readonly body?: unknown }

/** Inserts the parameters into `/investments/{id}`. */
function addressOf(template: string, { path, query }: Untyped): string {
  const values = (path ?? {}) as Readonly<Record<string, unknown>>
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined || value === '') throw new TypeError(`${template} needs the path parameter ${name}.`)
    return encodeURIComponent(String(value))
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries((query ?? {}) as Readonly<Record<string, unknown>>)) {
    if (value === undefined || value === null) continue
    for (const each of [value].flat()) search.append(name, String(each))
  }
  const text = search.toString()
  return text === '' ? filled : `${filled}?${text}`
}

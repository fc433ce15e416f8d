import { API_VERSION } from './api-types.ts'
import { ConnectionError, errorOf, PorticoError, TimeoutError } from './errors.ts'
import { isWorthRepeating, sleep, waitMs } from './retries.ts'

export const SDK_VERSION = '0.1.0'

/** Callbacks for logs and metrics. They get no credential and no body. */
export type Hooks = {
  /** Called before each attempt. */
  readonly onRequest?: (request: RequestNotice) => void
  /** Called after each attempt that got a response, with any status. Not called for event streams. */
  readonly onResponse?: (response: ResponseNotice) => void
  /** Called before the wait for another attempt. */
  readonly onRetry?: (retry: RetryNotice) => void
}
export type RequestNotice = { readonly method: string; readonly url: string; readonly attempt: number }
export type ResponseNotice = RequestNotice & {
  readonly status: number
  readonly requestId: string | undefined
  readonly durationMs: number
}
export type RetryNotice = RequestNotice & {
  readonly waitMs: number
  /** Undefined if there was no response. */
  readonly status: number | undefined
  /** The error of this attempt. */
  readonly error: Error
}

export type TransportOptions = {
  /** The address of the service, such as `https://api.portico.example`. */
  readonly baseUrl: string
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch
  /** How long one attempt may take, including the response body. Default: 30 seconds. */
  readonly timeoutMs?: number
  /** How many times a failed request is repeated at most. Default: 4. */
  readonly maxRetries?: number
  /** If the wait before a retry would be longer than this, the request fails at once. Default: 60 seconds. */
  readonly maxWaitMs?: number
  /** The first word of the service’s own header names. Default: `Wefunder`. Set it if the operator chose another word. */
  readonly brand?: string
  /** Added before the SDK’s own name in `User-Agent`, such as `acme-sync/1.2`. */
  readonly userAgent?: string
  readonly hooks?: Hooks
}

export type HttpRequest = {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Whether the request may be sent again after the service may have received it. */
  readonly isRepeatable: boolean
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

/** A response that was read to its end. */
export type HttpResponse = {
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
  /** The parsed JSON, or the text if it is not JSON. Undefined if there is no body. */
  readonly body: unknown
}

type Attempt = { readonly response: HttpResponse } | { readonly error: ConnectionError }

/** A browser sends its own User-Agent. If a page set one, the browser would send a preflight request first. */
const IS_BROWSER = 'document' in globalThis || 'importScripts' in globalThis

/**
 * Sends requests to one service, and repeats failed requests that may succeed later. After a 429 that it repeats, all
 * requests wait, except those that open an event stream.
 */
export class Transport {
  readonly baseUrl: string
  readonly options: TransportOptions
  #notBeforeMs = 0

  constructor(options: TransportOptions) {
    this.options = options
    this.baseUrl = options.baseUrl.replace(/\/+$/, '')
  }

  /** Resolves with a successful response or a 304, and rejects with an error otherwise. */
  async send(request: HttpRequest): Promise<HttpResponse> {
    for (let attempt = 1; ; attempt++) {
      const result = await this.#attempt(request, attempt)
      const response = 'response' in result ? result.response : undefined
      if (response !== undefined && isSuccess(response.status)) return fromApi(response, this.baseUrl)
      const failure = 'error' in result ? result.error : errorOfResponse(result.response)
      await this.#beforeNextAttempt(request, attempt, response, failure)
    }
  }

  /** Returns a response whose body the caller reads. Does not retry. Throws on every status that is not a success. */
  async open(request: HttpRequest, signal: AbortSignal): Promise<Response> {
    const url = this.baseUrl + request.path
    this.options.hooks?.onRequest?.({ method: request.method, url, attempt: 1 })
    const response = await this.#fetch(url, request, signal).catch((cause: unknown) => {
      throw signal.aborted ? signal.reason : connectionError(url, cause)
    })
    if (response.ok) return response
    throw errorOfResponse(await readResponse(response))
  }

  async #attempt(request: HttpRequest, attempt: number): Promise<Attempt> {
    await this.#untilAllowed(request.signal)
    const notice = { method: request.method, url: this.baseUrl + request.path, attempt }
    const { hooks, timeoutMs = 30_000 } = this.options
    const limit = timeLimit(request.timeoutMs ?? timeoutMs, request.signal)
    const startedMs = Date.now()
    hooks?.onRequest?.(notice)
    try {
      const response = await readResponse(await this.#fetch(notice.url, request, limit.signal))
      const { status, requestId } = response
      hooks?.onResponse?.({ ...notice, status, requestId, durationMs: Date.now() - startedMs })
      return { response }
    } catch (cause) {
      if (request.signal?.aborted === true) throw request.signal.reason
      return {
        error: limit.isOver()
          ? new TimeoutError(`No response from ${notice.url} in time.`, { cause })
          : connectionError(notice.url, cause),
      }
    } finally {
      limit.clear()
    }
  }

  #fetch(url: string, { method, headers, body }: HttpRequest, signal: AbortSignal): Promise<Response> {
    const { brand = 'Wefunder', userAgent, fetch: ownFetch = fetch } = this.options
    const agent = `${userAgent === undefined ? '' : `${userAgent} `}portico-sdk/${SDK_VERSION}`
    return ownFetch(url, {
      method,
      headers: {
        [`${brand}-Version`]: API_VERSION,
        ...(!IS_BROWSER && { 'User-Agent': agent }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      signal,
      // No operation redirects. A redirect could send the credential to another host.
      redirect: 'manual',
    })
  }

  async #beforeNextAttempt(
    request: HttpRequest,
    attempt: number,
    response: HttpResponse | undefined,
    failure: Error,
  ): Promise<void> {
    const { maxRetries = 4, maxWaitMs = 60_000, hooks } = this.options
    const status = response?.status
    if (attempt > maxRetries || !isWorthRepeating(status, request.isRepeatable)) throw failure
    const resetAt = response?.headers.get('x-ratelimit-reset') ?? null
    const wait = waitMs({ status, body: response?.body, resetAt, attempts: attempt }, Date.now(), Math.random())
    if (wait > maxWaitMs) throw failure
    hooks?.onRetry?.({
      method: request.method,
      url: this.baseUrl + request.path,
      attempt,
      waitMs: wait,
      status,
      error: failure,
    })
    // The rate limit that rejected this request will reject the next one too, so all requests wait.
    if (status === 429) this.#notBeforeMs = Math.max(this.#notBeforeMs, Date.now() + wait)
    else await sleep(wait, request.signal)
  }

  /** Waits while the rate limit is used up. The loop is needed because another request may extend the wait. */
  async #untilAllowed(signal: AbortSignal | undefined): Promise<void> {
    for (let left = this.#notBeforeMs - Date.now(); left > 0; left = this.#notBeforeMs - Date.now()) {
      await sleep(left, signal)
    }
  }
}

/** A 304 is the response to `If-None-Match`. In a browser, a redirect has status 0. */
function isSuccess(status: number): boolean {
  return (status >= 200 && status < 300) || status === 304
}

/** Rejects a web page: it comes from a proxy, the sign-in page of a network or another server, never from the API. */
function fromApi(response: HttpResponse, baseUrl: string): HttpResponse {
  if (response.headers.get('content-type')?.startsWith('text/html') !== true) return response
  throw new PorticoError(`${baseUrl} answered with a web page. Is this the address of the service?`)
}

function errorOfResponse({ status, body, requestId }: HttpResponse): Error {
  return errorOf(status, body, requestId)
}

function connectionError(url: string, cause: unknown): ConnectionError {
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause)
  return new ConnectionError(`No response from ${url}: ${reason}`, { cause })
}

async function readResponse(response: Response): Promise<HttpResponse> {
  const text = await response.text()
  const { status, headers } = response
  return { status, headers, requestId: headers.get('x-request-id') ?? undefined, body: jsonOrText(text) }
}

function jsonOrText(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Creates a signal that aborts after a time, or when the caller’s own signal aborts. */
function timeLimit(ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController()
  let isOver = false
  const abort = () => controller.abort(outer?.reason)
  const timer = setTimeout(() => {
    isOver = true
    controller.abort()
  }, ms)
  if (outer?.aborted === true) abort()
  outer?.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    isOver: () => isOver,
    clear: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', abort)
    },
  }
}

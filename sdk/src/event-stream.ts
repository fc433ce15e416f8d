import type { Event, Operations } from './api-types.ts'
import { type Credential, withAuthorization } from './credentials.ts'
import { ApiError, AuthenticationError, ConnectionError, isRecord, OAuthError, TimeoutError } from './errors.ts'
import { sleep } from './retries.ts'
import { type Message, MessageParser } from './server-sent-events.ts'
import type { Transport } from './transport.ts'
import type { WebhookEvent } from './webhook-events.ts'

export type EventStreamOptions = {
  /** The `cursor` of the last event that you handled. Events are stored for 90 days. Without a cursor the stream starts now. */
  readonly after?: string | undefined
  /** Names and wildcards: `['investment.created', 'offering.*']`. Default: all events. */
  readonly types?: NonNullable<NonNullable<Operations['GET /events']['query']>['types']>
  /** Only the events of this installation. */
  readonly installationId?: string
  /** Ends the stream without an error. */
  readonly signal?: AbortSignal
  /** Called with every change of the connection. Print the status, so that you notice a broken connection. */
  readonly onStatus?: (status: StreamStatus) => void
  /** If no byte is received for this long, the connection counts as dead and is replaced. Default: 60 seconds. */
  readonly silenceMs?: number
  /** The first wait before a reconnect. Default: the wait that the service requests, or else 2 seconds. */
  readonly retryMs?: number
}

export type StreamStatus =
  | { readonly state: 'connecting'; readonly cursor: string | undefined }
  /**
   * The stream starts at `cursor`. Store it, so that a program that dies before the first event misses nothing.
   */
  | { readonly state: 'open'; readonly cursor: string | undefined }
  | {
      readonly state: 'waiting'
      readonly cursor: string | undefined
      /** A sentence that says why the connection ended. */
      readonly reason: string
      readonly retryInMs: number
    }

export type StreamedEvent = {
  /** Store it after you have handled the event, and pass it as `after` to continue. */
  readonly cursor: string
  /** The event as `GET /events/{id}` returns it. Its `redelivery_of` is the delivery that it repeats, or null. */
  readonly event: Event
  /** The body that a webhook endpoint gets for this event. */
  readonly payload: WebhookEvent
}

/** Why a connection ended, and the credential that it used. */
type End = { readonly reason: unknown; readonly authorization: string }

const RETRY_MS = 2_000
const LONGEST_RETRY_MS = 30_000
/** After a connection that lasted this long, the next wait is short again. */
const GOOD_AFTER_MS = 20_000

/**
 * Yields each event at least once. The events of an installation are in order. Ends with an error only if a retry cannot
 * succeed: the request is invalid (400), the credential is not valid (401, 403), or the events after `after` are no longer
 * stored (410).
 */
export class EventStream implements AsyncIterable<StreamedEvent> {
  readonly #transport: Transport
  readonly #credential: Credential
  readonly #options: EventStreamOptions
  readonly #path: string
  #cursor: string | undefined
  #retryMs = RETRY_MS
  #failures = 0
  #rejections = 0

  constructor(transport: Transport, credential: Credential, options: EventStreamOptions) {
    this.#transport = transport
    this.#credential = credential
    this.#options = options
    this.#cursor = options.after
    const query = new URLSearchParams()
    for (const type of options.types ?? []) query.append('types', type)
    if (options.installationId !== undefined) query.set('installation_id', options.installationId)
    this.#path = `/events/stream?${query}`.replace(/\?$/, '')
  }

  /**
   * The cursor to continue from: the newest that the service sent, with the start of the stream, an event or a heartbeat. At
   * first it is `after`.
   */
  get cursor(): string | undefined {
    return this.#cursor
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamedEvent, void, undefined> {
    while (!this.#isOver()) {
      const end = yield* this.#attempt()
      if (!this.#isOver()) await this.#beforeNextAttempt(end)
    }
  }

  #isOver(): boolean {
    return this.#options.signal?.aborted === true
  }

  async *#attempt(): AsyncGenerator<StreamedEvent, End, undefined> {
    const startedMs = Date.now()
    let authorization = ''
    let reason: unknown
    try {
      authorization = await this.#credential.authorization(this.#transport)
      reason = yield* this.#connection(authorization)
    } catch (error) {
      reason = error
    }
    if (Date.now() - startedMs > GOOD_AFTER_MS) this.#failures = 0
    return { reason, authorization }
  }

  /**
   * Waits, or throws if a retry cannot succeed. The next attempt renews a credential that has ended or was rejected, if it
   * can be renewed.
   */
  async #beforeNextAttempt({ reason, authorization }: End): Promise<void> {
    const isRejected = reason instanceof AuthenticationError
    if (reason instanceof Error && !isRejected && !isTemporary(reason)) throw reason
    if (isRejected || reason === CREDENTIAL_ENDED) {
      const isRenewed = (await this.#credential.rejected?.(authorization, this.#transport)) === true
      if (isRejected && (!isRenewed || this.#rejections++ > 0)) throw reason
    }
    await this.#pause(reason).catch(() => {})
  }

  /** Opens one connection and yields its events. Returns why the connection ended. */
  async *#connection(authorization: string): AsyncGenerator<StreamedEvent, string, undefined> {
    const connection = watchConnection(this.#options)
    try {
      return yield* this.#messages(authorization, connection)
    } finally {
      connection.close()
    }
  }

  async *#messages(
    authorization: string,
    connection: WatchedConnection,
  ): AsyncGenerator<StreamedEvent, string, undefined> {
    this.#report({ state: 'connecting', cursor: this.#cursor })
    connection.watch()
    const headers = {
      Accept: 'text/event-stream',
      ...(this.#cursor !== undefined && { 'Last-Event-ID': this.#cursor }),
    }
    const request = { method: 'GET', path: this.#path, headers, isRepeatable: true }
    const { body } = await this.#transport.open(withAuthorization(request, authorization), connection.signal)
    if (body === null) return 'The service sent no body.'
    const parser = new MessageParser()
    let isOpen = false
    for await (const text of this.#textOf(body, connection)) {
      for (const message of parser.push(text)) {
        if (message.event === 'end') return endReason(message)
        const event = this.#eventOf(message)
        if (!isOpen) this.#report({ state: 'open', cursor: this.#cursor })
        isOpen = true
        if (event !== undefined) yield event
      }
    }
    return 'The service closed the connection.'
  }

  async *#textOf(
    body: ReadableStream<Uint8Array>,
    connection: WatchedConnection,
  ): AsyncGenerator<string, void, undefined> {
    const reader = body.getReader()
    const decoder = new TextDecoder()
    for (;;) {
      connection.watch()
      const { done, value } = await reader.read().catch((cause: unknown) => {
        const { aborted, reason } = connection.signal
        throw aborted ? reason : new ConnectionError('The connection broke.', { cause })
      })
      // While the caller handles events, nothing is read, so the silence timer stops.
      connection.rest()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  }

  #eventOf({ id, data, retry }: Message): StreamedEvent | undefined {
    this.#rejections = 0
    if (id !== undefined) this.#cursor = id
    if (retry !== undefined) this.#retryMs = retry
    if (data === undefined) return undefined
    this.#failures = 0
    const event: Event = JSON.parse(data)
    return { cursor: this.#cursor ?? '', event, payload: event.attributes.payload as WebhookEvent }
  }

  async #pause(reason: unknown): Promise<void> {
    this.#failures++
    const { retryMs = this.#retryMs, signal } = this.#options
    const requestedMs = reason instanceof ApiError ? Number(reason.details['retry_after'] ?? 0) * 1_000 : 0
    const waitMs = Math.max(requestedMs, Math.min(retryMs * 2 ** (this.#failures - 1), LONGEST_RETRY_MS))
    const retryInMs = Math.ceil(waitMs * (1 + Math.random() / 4))
    const text = reason instanceof Error ? reason.message : String(reason)
    this.#report({ state: 'waiting', cursor: this.#cursor, reason: text, retryInMs })
    await sleep(retryInMs, signal)
  }

  #report(status: StreamStatus): void {
    this.#options.onStatus?.(status)
  }
}

const CREDENTIAL_ENDED = 'The credential of this stream has ended.'

function endReason({ data }: Message): string {
  const body: unknown = data === undefined ? undefined : JSON.parse(data)
  const reason = isRecord(body) ? body['reason'] : undefined
  if (reason === 'credential_ended') return CREDENTIAL_ENDED
  return reason === 'server_closing' ? 'The service is restarting.' : `The service ended the stream (${reason}).`
}

/** Whether a later attempt may succeed: after no response, an error of the service (5xx), or too many requests (429). */
function isTemporary(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  // The token endpoint reports its errors in the form of OAuth.
  const { status = 0 } = error instanceof ApiError || error instanceof OAuthError ? error : {}
  return status === 429 || status >= 500
}

type WatchedConnection = ReturnType<typeof watchConnection>

/** Creates a signal that aborts if no data is received for too long, or when the caller’s own signal aborts. */
function watchConnection({ signal, silenceMs = 60_000 }: EventStreamOptions) {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted === true) end()
  const rest = () => clearTimeout(timer)
  return {
    signal: controller.signal,
    rest,
    watch: () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const seconds = Math.round(silenceMs / 1_000)
        controller.abort(new TimeoutError(`No data was received for ${seconds} seconds: the connection is dead.`))
      }, silenceMs)
    },
    close: () => {
      rest()
      signal?.removeEventListener('abort', end)
      controller.abort()
    },
  }
}

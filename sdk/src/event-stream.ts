import type { Event, Operations } from './api-types.ts'
import { type Credential, withAuthorization } from './credentials.ts'
import { ApiError, AuthenticationError, ConnectionError, isRecord, TimeoutError } from './errors.ts'
import { sleep } from './retries.ts'
import { type Message, MessageParser } from './server-sent-events.ts'
import type { Transport } from './transport.ts'
import type { WebhookEvent } from './webhook-events.ts'

export type EventStreamOptions = {
  /** The `cursor` of the last event that you handled, of any age. Without it the stream starts now. */
  readonly after?: string | undefined
  /** Names and wildcards: `['investment.created', 'offering.*']`. All events if left out. */
  readonly types?: NonNullable<NonNullable<Operations['GET /events']['query']>['types']>
  /** The events of one installation. */
  readonly installationId?: string
  /** Ends the stream without an error. */
  readonly signal?: AbortSignal
  /** Reports what happens to the connection. Print it, so that a break is never silent. */
  readonly onStatus?: (status: StreamStatus) => void
  /** A connection without a byte for this long counts as dead and is opened again. Default: 60 seconds. */
  readonly silenceMs?: number
  /** The first wait before a reconnect. Default: what the service requests, 2 seconds. */
  readonly retryMs?: number
}

export type StreamStatus =
  | { readonly state: 'connecting'; readonly cursor: string | undefined }
  /**
   * `cursor` is where the stream starts. Store it, so that a program that dies before the first event misses nothing.
   */
  | { readonly state: 'open'; readonly cursor: string | undefined }
  | {
      readonly state: 'waiting'
      readonly cursor: string | undefined
      /** Why the connection ended, in a sentence. */
      readonly reason: string
      readonly retryInMs: number
    }

export type StreamedEvent = {
  /** Store it after you have handled the event: `after` continues from it. */
  readonly cursor: string
  /** The event as `GET /events/{id}` returns it, with `redelivery_of` if the event was sent before. */
  readonly event: Event
  /** The body that a webhook endpoint gets. */
  readonly payload: WebhookEvent
}

/** Why a connection ended, and the credential that it used. */
type End = { readonly reason: unknown; readonly authorization: string }

const RETRY_MS = 2_000
const LONGEST_RETRY_MS = 30_000
/** After a connection that lasted this long, the next wait is short again. */
const GOOD_AFTER_MS = 20_000

/**
 * Returns each event at least once, in order for each installation. Ends with an error only if another attempt cannot
 * help: the credential is no longer valid (401, 403), or the events after `after` are no longer stored (410).
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

  /** The cursor of the last event that was taken from the stream. */
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

  /** Waits, and renews the credential if the last one has ended. Throws if another attempt cannot help. */
  async #beforeNextAttempt({ reason, authorization }: End): Promise<void> {
    const isRejected = reason instanceof AuthenticationError
    if (reason instanceof Error && !isRejected && !isPassing(reason)) throw reason
    if (isRejected || reason === CREDENTIAL_ENDED) {
      const isRenewed = (await this.#credential.rejected?.(authorization, this.#transport)) === true
      if (isRejected && (!isRenewed || this.#rejections++ > 0)) throw reason
    }
    await this.#pause(reason).catch(() => {})
  }

  /** One connection from its start to its end. Returns why it ended. */
  async *#connection(authorization: string): AsyncGenerator<StreamedEvent, string, undefined> {
    const connection = watched(this.#options)
    try {
      return yield* this.#messages(authorization, connection)
    } finally {
      connection.close()
    }
  }

  async *#messages(authorization: string, connection: Watched): AsyncGenerator<StreamedEvent, string, undefined> {
    this.#say({ state: 'connecting', cursor: this.#cursor })
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
    for await (const text of this.#pieces(body, connection)) {
      for (const message of parser.push(text)) {
        if (message.event === 'end') return endReason(message)
        const event = this.#take(message)
        if (!isOpen) this.#say({ state: 'open', cursor: this.#cursor })
        isOpen = true
        if (event !== undefined) yield event
      }
    }
    return 'The service closed the connection.'
  }

  async *#pieces(body: ReadableStream<Uint8Array>, connection: Watched): AsyncGenerator<string, void, undefined> {
    const reader = body.getReader()
    const decoder = new TextDecoder()
    for (;;) {
      connection.watch()
      const { done, value } = await reader.read().catch((cause: unknown) => {
        const { aborted, reason } = connection.signal
        throw aborted ? reason : new ConnectionError('The connection broke.', { cause })
      })
      // Nothing is read while events are handled, so silence does not count.
      connection.rest()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  }

  #take({ id, data, retry }: Message): StreamedEvent | undefined {
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
    const wanted = reason instanceof ApiError ? Number(reason.details['retry_after'] ?? 0) * 1_000 : 0
    const least = Math.max(wanted, Math.min(retryMs * 2 ** (this.#failures - 1), LONGEST_RETRY_MS))
    const retryInMs = Math.ceil(least * (1 + Math.random() / 4))
    const text = reason instanceof Error ? reason.message : String(reason)
    this.#say({ state: 'waiting', cursor: this.#cursor, reason: text, retryInMs })
    await sleep(retryInMs, signal)
  }

  #say(status: StreamStatus): void {
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

/** No response, a busy service, or too many requests: a later attempt may succeed. */
function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  return error instanceof ApiError && (error.status === 429 || error.status >= 500)
}

type Watched = ReturnType<typeof watched>

/** A signal that aborts when nothing was received for too long, or when the caller’s own signal aborts. */
function watched({ signal, silenceMs = 60_000 }: EventStreamOptions) {
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
        controller.abort(new TimeoutError(`Nothing arrived for ${seconds} seconds: the connection is dead.`))
      }, silenceMs)
    },
    close: () => {
      rest()
      signal?.removeEventListener('abort', end)
      controller.abort()
    },
  }
}

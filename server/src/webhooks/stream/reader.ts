import type { LiveClient } from '#http/response-bodies.ts'
import type { StreamPlace } from './read-store.ts'
import type { Credential } from './rights.ts'
import type { Viewer, Wish } from './viewer.ts'

/** Why the server ended a stream. Its last event contains the reason. */
export type EndReason = 'credential_ended' | 'server_closing'

export type NewReader = {
  readonly client: LiveClient
  readonly credential: Credential
  readonly viewer: Viewer
  readonly wish: Wish
  /** Seals a place of this app's stream. */
  readonly seal: (place: StreamPlace) => string
  /** The reader has seen everything up to this place. */
  readonly from: StreamPlace
}

/** After how many milliseconds a client reconnects (EventSource does it by itself). */
const RETRY_MS = 2_000

/**
 * How many entries are first read for a reader that catches up. This many ordinary events fit into the buffer of a
 * connection.
 */
const FIRST_PACE = 32

/**
 * One open stream. Its place moves past an event that was written to the connection or is not for this reader; all
 * other events are read again from the place. A reader stores no events: it reads no more of them until the client has
 * taken the events that were written.
 */
export class Reader {
  readonly viewer: Viewer
  readonly wish: Wish
  readonly credential: Credential
  readonly #client: LiveClient
  readonly #seal: NewReader['seal']
  #place: StreamPlace
  /** The last place whose id was sent to the client. */
  #lastSent: StreamPlace
  #events = 0
  #ended: EndReason | 'gone' | null = null
  #waiting: (() => void) | null = null
  /** Whether the reader is behind and reads on its own. The shared reads leave it out then. */
  isCatchingUp = false
  /**
   * How many entries the next read returns while the reader catches up: twice as many as the client took the last time.
   * Entries that do not fit into the client's buffer are dropped and read again.
   */
  pace = FIRST_PACE
  /** Whether the client has not yet taken what was written. */
  isFull = false

  constructor({ client, credential, viewer, wish, seal, from }: NewReader) {
    this.#client = client
    this.credential = credential
    this.viewer = viewer
    this.wish = wish
    this.#seal = seal
    this.#place = from
    this.#lastSent = from
    this.#write(`retry: ${RETRY_MS}\nid: ${seal(from)}\n\n`)
  }

  get place(): StreamPlace {
    return this.#place
  }

  get isOver(): boolean {
    return this.#ended !== null
  }

  /** Sends the event at that place. `record` is JSON text, which has no line breaks. */
  send(place: StreamPlace, record: string): void {
    this.#write(`id: ${this.#seal(place)}\ndata: ${record}\n\n`)
    this.#place = place
    this.#lastSent = place
    this.#events++
  }

  /** Moves the place past entries that are not for this reader. */
  passed(place: StreamPlace): void {
    if (place.position > this.#place.position) this.#place = place
  }

  /** Sends a heartbeat, which keeps the connection alive and the client's place near the end of the stream. */
  beat(): void {
    if (this.isOver || this.isFull) return
    const moved = this.#lastSent.position !== this.#place.position
    this.#write(moved ? `id: ${this.#seal(this.#place)}\n: \n\n` : ': \n\n')
    this.#lastSent = this.#place
  }

  end(reason: EndReason): void {
    if (this.isOver) return
    this.#ended = reason
    this.#client.write(`event: end\ndata: {"reason":"${reason}"}\n\n`)
    this.#client.end()
    this.#waiting?.()
  }

  left(): void {
    this.#ended ??= 'gone'
    this.#waiting?.()
  }

  drained(): void {
    this.isFull = false
    this.#waiting?.()
  }

  /** Resolves once the client has taken what was written, or the stream has ended. */
  room(): Promise<void> {
    if (!this.isFull || this.isOver) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiting = () => {
        this.#waiting = null
        resolve()
      }
    })
  }

  line() {
    return { events: this.#events, ended: this.#ended ?? 'open' }
  }

  #write(text: string): void {
    if (!this.isOver) this.isFull = !this.#client.write(text)
  }
}

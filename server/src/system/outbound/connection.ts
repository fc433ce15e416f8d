import type { Socket } from 'node:net'
import { Answer, type Progress, READ_BYTES } from './answer.ts'
import type { Open } from './connector.ts'
import type { Place } from './destinations.ts'
import { type FailureWord, failureWordOf } from './failure.ts'
import type { OutboundLimits } from './limits.ts'
import { Opening } from './opening.ts'

/** A request that waits for its answer. */
export type Carried = {
  /** The body may still be long in coming. */
  statusCame(): void
  /** `sound`: it was read to its end, and the connection can carry another. `why` is for an answer without a status. */
  over(answer: Answer, sound: boolean, why: FailureWord): void
}

/** The same for all connections of a sender. */
export type ConnectionHome = {
  readonly limits: OutboundLimits
  readonly open: Open
  /** Its answer is whole: what came with it has yet to be read, and then it is `settled`. */
  settle(connection: Connection): void
  /** It ended while nobody used it. */
  lost(connection: Connection): void
}

/**
 * Carries one request at a time, and opens its socket for the first. Whatever ends it, ends it for good: bytes that nobody
 * asked for, an answer that is cut or cannot be understood, a request that was not read to its end.
 */
export class Connection {
  readonly place: Place
  readonly madeMs = performance.now()
  /** While it is unused. */
  idleUntilMs = 0
  readonly #home: ConnectionHome
  readonly #answer: Answer
  /** Read into again and again: nothing of it is kept without a copy. */
  readonly #bytes = Buffer.allocUnsafeSlow(READ_BYTES)
  readonly #opening = new Opening()
  /** Null until it is open. */
  #socket: Socket | null = null
  #carried: Carried | null = null
  /** The answer is whole, and something may have come with it. */
  #settling = false

  constructor(place: Place, home: ConnectionHome) {
    this.place = place
    this.#home = home
    this.#answer = new Answer(home.limits)
  }

  /** Of the answer under way the status is there. */
  get hasStatus(): boolean {
    return this.#answer.status !== 0
  }

  get #isEnded(): boolean {
    return this.#opening.isStopped
  }

  /** How long the receiver says that it keeps the connection open. */
  get keepAliveSeconds(): number | null {
    return this.#answer.head.keepAliveSeconds
  }

  carry(carried: Carried, request: Buffer): void {
    if (this.#carried !== null || this.#isEnded) throw new Error('the connection is in use')
    this.#carried = carried
    this.#answer.begin()
    if (this.#socket === null) this.#open(request)
    else this.#socket.ref().write(request)
  }

  /** Time is up: what is there is the outcome. */
  expire(): void {
    this.#finish('over', 'timeout')
  }

  /** All that came with the answer was read: there was nothing. */
  settled(): void {
    if (this.#settling) this.#finish('whole', 'connection_failed')
  }

  /** Nobody uses it now. The process need not stay for it. */
  rest(untilMs: number): void {
    this.idleUntilMs = untilMs
    this.#socket?.unref()
  }

  end(): void {
    this.#opening.stop()
  }

  #open(request: Buffer): void {
    const onread = { buffer: this.#bytes, callback: (length: number) => this.#read(length) }
    this.#home.open(this.place, onread, this.#opening).then(
      (socket) => this.#opened(socket, request),
      (error: unknown) => this.#finish('over', failureWordOf(error)),
    )
  }

  #opened(socket: Socket, request: Buffer): void {
    // It was over before the socket was there: nothing may be sent any more.
    if (this.#isEnded) return
    this.#socket = socket
    socket.on('error', (error) => this.#finish('over', failureWordOf(error)))
    const closed = () => this.#finish('over', 'connection_failed')
    socket.once('end', closed).once('close', closed)
    socket.write(request)
  }

  /** True: go on reading. */
  #read(length: number): boolean {
    const carried = this.#carried
    const answer = this.#answer
    const hadStatus = answer.status !== 0
    // Whatever comes before anything was sent is no answer.
    const asked = carried !== null && this.#socket !== null && !this.#settling
    const progress = asked ? answer.read(this.#bytes, length) : 'over'
    if (progress === 'over') this.#finish('over', 'connection_failed')
    else if (progress === 'whole') this.#settle()
    else if (!hadStatus && answer.status !== 0) carried?.statusCame()
    return true
  }

  /**
   * The system hands over what has arrived in several pieces, and lets others go on between them: told at once, the next request
   * would be under way before the last piece is seen, which would then be its answer.
   */
  #settle(): void {
    this.#settling = true
    this.#home.settle(this)
  }

  /** The connection is closed before anybody hears of it, or stays. */
  #finish(progress: Progress, why: FailureWord): void {
    if (this.#isEnded) return
    const carried = this.#carried
    const sound = carried !== null && progress === 'whole' && this.#answer.stays && this.#socket?.writableLength === 0
    this.#carried = null
    this.#settling = false
    if (!sound) this.end()
    if (carried === null) this.#home.lost(this)
    else carried.over(this.#answer, sound, why)
  }
}

import type { Dispatcher } from 'undici'
import { bodyStartText } from './body-start.ts'
import type { Connection } from './connections.ts'
import { type FailureWord, failureWordOf, OutboundFailure } from './failure.ts'
import type { OutboundLimits } from './limits.ts'
import type { Outcome } from './outcome.ts'
import { retryAfterSeconds } from './retry-after.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>
type Controller = Dispatcher.DispatchController

/** What one exchange goes over, who is told what came of it, and who may give it up. */
export type Exchanging = {
  readonly connection: Connection
  readonly signal: AbortSignal | undefined
  readonly resolve: (outcome: Outcome) => void
  /** The sender gave up, or was called wrongly: nothing that a receiver did. */
  readonly reject: (error: unknown) => void
}

/** The same for all exchanges of a sender: each is one object, because a thousand of them wait for their answers. */
export type ExchangeHome = {
  readonly limits: OutboundLimits
  /** `sound`: the answer was read to its end, and the connection can carry another. Called once for each. */
  over(exchange: Exchange, sound: boolean): void
}

/**
 * One request and its answer, driven by undici's callbacks. waiting → status known → over.
 * Once the status is known it is the outcome, however the body ends: too long, too slow, cut off. A receiver that said
 * 200 has the delivery, and trying again would only give it a second one.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  deadlineMs: number
  readonly #startedMs: number
  readonly parts: Exchanging
  readonly #home: ExchangeHome
  #controller: Controller | null = null
  #over = false
  #status = 0
  #headers: Headers = {}
  #interim = 0
  #bytes = 0
  /** Null until there is some: most answers have no body. */
  #kept: Buffer[] | null = null

  constructor(parts: Exchanging, home: ExchangeHome) {
    this.parts = parts
    this.#home = home
    this.#startedMs = performance.now()
    this.deadlineMs = this.#startedMs + home.limits.totalMs
  }

  /** Time is up. */
  expire(): void {
    this.#cut(new OutboundFailure('timeout', 'the answer took too long'))
  }

  /** The sender no longer wants to know. */
  abandon(reason: unknown): void {
    if (this.#over) return
    this.#over = true
    this.#home.over(this, false)
    this.parts.reject(reason)
    this.#controller?.abort(new OutboundFailure('connection_failed', 'given up'))
  }

  onRequestStart(controller: Controller): void {
    // It was over before a connection was there: nothing may be sent any more.
    if (this.#over) controller.abort(new OutboundFailure('timeout', 'the connection came too late'))
    else this.#controller = controller
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    if (status >= 200) {
      this.#status = status
      this.#headers = headers
      this.deadlineMs = Math.min(this.deadlineMs, performance.now() + this.#home.limits.bodyMs)
      return
    }
    this.#interim += 1
    if (this.#interim > this.#home.limits.interimMax) {
      this.#cut(new OutboundFailure('connection_failed', 'interim answers without end'))
    }
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#kept === null) this.#kept = [chunk]
    else if (this.#bytes < this.#home.limits.keptBytesMax) this.#kept.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > this.#home.limits.bodyBytesMax) this.#cut(new OutboundFailure('connection_failed', 'too long'))
  }

  onResponseEnd(): void {
    this.#settle('connection_failed', true)
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    if ('code' in error && error.code === 'UND_ERR_INVALID_ARG') this.abandon(error)
    else this.#settle(failureWordOf(error))
  }

  /** Settles before it aborts, because aborting comes back as an error. */
  #cut(failure: OutboundFailure): void {
    this.#settle(failure.why)
    this.#controller?.abort(failure)
  }

  #settle(withoutStatus: FailureWord, sound = false): void {
    if (this.#over) return
    this.#over = true
    const durationMs = Math.round(performance.now() - this.#startedMs)
    const failed = this.#status === 0
    const outcome: Outcome = failed ? { kind: 'failed', why: withoutStatus, durationMs } : this.#answered(durationMs)
    this.#home.over(this, sound)
    this.parts.resolve(outcome)
  }

  #answered(durationMs: number): Outcome {
    const bodyStart = this.#kept === null ? '' : this.#bodyStart(this.#kept)
    const retryAfter = this.#headers['retry-after']
    const seconds = retryAfter === undefined ? undefined : retryAfterSeconds(retryAfter, Date.now())
    const known = { kind: 'answered', status: this.#status, bodyStart, durationMs } as const
    return seconds === undefined ? known : { ...known, retryAfterSeconds: seconds }
  }

  #bodyStart(kept: readonly Buffer[]): string {
    const encoding = this.#headers['content-encoding'] ?? 'identity'
    return bodyStartText(kept, this.#home.limits.keptBytesMax, encoding !== 'identity')
  }
}

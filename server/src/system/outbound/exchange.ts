import type { Dispatcher } from 'undici'
import { bodyStartText } from './body-start.ts'
import { type FailureWord, failureWordOf, OutboundFailure } from './failure.ts'
import type { OutboundLimits } from './limits.ts'
import type { Outcome } from './outcome.ts'
import { retryAfterSeconds } from './retry-after.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>
type Controller = Dispatcher.DispatchController

/** What becomes of it. Exactly one of the two is called, once. */
export type ExchangeEnd = {
  /** `sound`: the answer was read to its end, and the connection can carry another. */
  outcome(outcome: Outcome, sound: boolean): void
  /** The sender gave up, or was called wrongly: nothing that a receiver did. */
  thrown(error: unknown): void
}

/**
 * One request and its answer, driven by undici's callbacks. waiting → status known → over.
 * Once the status is known it is the outcome, however the body ends: too long, too slow, cut off. A receiver that said
 * 200 has the delivery, and trying again would only give it a second one.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  deadlineMs: number
  readonly #startedMs: number
  readonly #limits: OutboundLimits
  readonly #end: ExchangeEnd
  #controller: Controller | null = null
  #over = false
  #status = 0
  #headers: Headers = {}
  #interim = 0
  #bytes = 0
  readonly #kept: Buffer[] = []

  constructor(limits: OutboundLimits, end: ExchangeEnd) {
    this.#limits = limits
    this.#end = end
    this.#startedMs = performance.now()
    this.deadlineMs = this.#startedMs + limits.totalMs
  }

  /** Time is up. */
  expire(): void {
    this.#cut(new OutboundFailure('timeout', 'the answer took too long'))
  }

  /** The sender no longer wants to know. */
  abandon(reason: unknown): void {
    if (this.#over) return
    this.#over = true
    this.#end.thrown(reason)
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
      this.deadlineMs = Math.min(this.deadlineMs, performance.now() + this.#limits.bodyMs)
      return
    }
    this.#interim += 1
    if (this.#interim > this.#limits.interimMax) {
      this.#cut(new OutboundFailure('connection_failed', 'interim answers without end'))
    }
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#bytes < this.#limits.keptBytesMax) this.#kept.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > this.#limits.bodyBytesMax) this.#cut(new OutboundFailure('connection_failed', 'too long'))
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
    this.#end.outcome(outcome, sound)
  }

  #answered(durationMs: number): Outcome {
    const encoding = this.#headers['content-encoding'] ?? 'identity'
    const bodyStart = bodyStartText(this.#kept, this.#limits.keptBytesMax, encoding !== 'identity')
    const retryAfter = this.#headers['retry-after']
    const seconds = retryAfter === undefined ? undefined : retryAfterSeconds(retryAfter, Date.now())
    const known = { kind: 'answered', status: this.#status, bodyStart, durationMs } as const
    return seconds === undefined ? known : { ...known, retryAfterSeconds: seconds }
  }
}

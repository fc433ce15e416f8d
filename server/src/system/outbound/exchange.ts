import type { Answer } from './answer.ts'
import type { Carried, Connection } from './connection.ts'
import type { FailureWord } from './failure.ts'
import type { OutboundLimits } from './limits.ts'
import type { Outcome } from './outcome.ts'
import { retryAfterSeconds } from './retry-after.ts'

/** Who is told what came of it, and who may give it up. */
export type Waiting = {
  readonly signal: AbortSignal | undefined
  readonly resolve: (outcome: Outcome) => void
  /** The sender gave up: nothing that a receiver did. */
  readonly reject: (reason: unknown) => void
}

/** The same for all exchanges of a sender. */
export type ExchangeHome = {
  readonly limits: OutboundLimits
  /** `sound`: the answer was read to its end, and the connection can carry another. Called once for each. */
  over(exchange: Exchange, sound: boolean, nowMs: number): void
}

/**
 * One request that waits for its answer. Each is one object, because a thousand of them wait at a time.
 * Once the status is known it is the outcome, however the body ends: too long, too slow, cut off. A receiver that said
 * 200 has the delivery, and trying again would only give it a second one.
 */
export class Exchange implements Carried {
  readonly connection: Connection
  readonly waiting: Waiting
  deadlineMs: number
  readonly #startedMs: number
  readonly #home: ExchangeHome

  constructor(connection: Connection, waiting: Waiting, home: ExchangeHome) {
    this.connection = connection
    this.waiting = waiting
    this.#home = home
    this.#startedMs = performance.now()
    this.deadlineMs = this.#startedMs + home.limits.totalMs
  }

  /** The sender no longer waits. Where the status is there it is the outcome now: given up, the delivery would be sent twice. */
  abandon(reason: unknown): void {
    if (this.connection.hasStatus) return void this.connection.expire()
    this.connection.end()
    this.#home.over(this, false, performance.now())
    this.waiting.reject(reason)
  }

  statusCame(): void {
    this.deadlineMs = Math.min(this.deadlineMs, performance.now() + this.#home.limits.bodyMs)
  }

  over(answer: Answer, sound: boolean, why: FailureWord): void {
    const nowMs = performance.now()
    const durationMs = Math.round(nowMs - this.#startedMs)
    const outcome: Outcome = answer.status === 0 ? { kind: 'failed', why, durationMs } : answered(answer, durationMs)
    this.#home.over(this, sound, nowMs)
    this.waiting.resolve(outcome)
  }
}

function answered({ status, head, body }: Answer, durationMs: number): Outcome {
  const known = { kind: 'answered', status, bodyStart: body.text(head.packed), durationMs } as const
  const seconds = head.retryAfter === null ? undefined : retryAfterSeconds(head.retryAfter, Date.now())
  return seconds === undefined ? known : { ...known, retryAfterSeconds: seconds }
}

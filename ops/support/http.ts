import { setTimeout as wait } from 'node:timers/promises'

export type Call = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams
  readonly timeoutMs?: number
}

/** Status 0 means that no response came in time, or that the connection failed. */
export type Reply = { readonly status: number; readonly text: string }

/** How often each status was received, and the paths of requests with a status that must not occur. */
export class Statuses {
  readonly #counts = new Map<number, number>()
  /** Requests with the response 500, up to `FAULTS_KEPT`. */
  readonly faults: string[] = []
  /** Requests without a response, and requests with any 5xx. */
  readonly failures: string[] = []

  add({ status, text }: Reply, what: string): void {
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1)
    if (status === 0 || status >= 500) this.failures.push(`${what}: ${status} ${text.slice(0, 200)}`)
    // A 500 is a fault of the product; 502, 503 and 504 say that a part is missing.
    if (status === 500 && this.faults.length < FAULTS_KEPT) this.faults.push(`${what}: ${text.slice(0, 300)}`)
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  toString(): string {
    return [...this.#counts]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status === 0 ? 'no answer' : status}: ${count}`)
      .join(', ')
  }
}

const FAULTS_KEPT = 10
const TIMEOUT_MS = 8_000

/** Sends one request. It never rejects: a failed request has status 0. */
export async function call(statuses: Statuses, url: string, options: Call = {}): Promise<Reply> {
  const { timeoutMs = TIMEOUT_MS, method = options.body === undefined ? 'GET' : 'POST', headers = {}, body } = options
  const signal = AbortSignal.timeout(timeoutMs)
  const reply = await fetch(url, { method, headers, signal, ...(body === undefined ? {} : { body }) })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch((error: unknown) => ({ status: 0, text: String(error) }))
  statuses.add(reply, `${method} ${new URL(url).pathname}`)
  return reply
}

const AGAIN_AFTER_MS = 150

/** Repeats a request until a response comes that is not 5xx. Null if `isOver` becomes true before. */
export async function retryUntilAnswered(
  statuses: Statuses,
  url: string,
  options: Call,
  isOver: () => boolean = () => false,
): Promise<Reply | null> {
  for (;;) {
    const reply = await call(statuses, url, options)
    if (reply.status !== 0 && reply.status < 500) return reply
    if (isOver()) return null
    await wait(AGAIN_AFTER_MS)
  }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/**
 * Resolves when the condition holds. After the limit it rejects, with `what` in the message. If `what` is a function, it is
 * called only then, so that the message contains everything that a program has printed.
 */
export async function until(
  what: string | (() => string),
  limitMs: number,
  condition: () => Promise<boolean> | boolean,
): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await condition())) {
    if (performance.now() > deadline) {
      throw new Error(`gave up after ${limitMs / 1_000} s: ${typeof what === 'string' ? what : what()}`)
    }
    await wait(POLL_MS)
  }
}

const POLL_MS = 200

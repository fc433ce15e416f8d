import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** A piece of background work. Polling is the truth: a round that found work runs again soon, an idle one waits. */
export type Job = {
  readonly name: string
  readonly busyMs: number
  readonly idleMs: number
  /** Ends the wait for the next round. */
  readonly wakeUp?: WakeSignal
  /** One small batch. True when there may be more to do. */
  round(): Promise<boolean>
}

type Around = { readonly log: Log; readonly metrics: Metrics; readonly signal: AbortSignal }

/** After a failure the next round waits at least this long, so that a broken database is not hammered. */
const AFTER_FAILURE_MS = 1_000

/** Runs until the signal; the round under way when it comes is finished first. A failing round never ends the loop. */
export async function runJob(job: Job, { log, metrics, signal }: Around): Promise<void> {
  const wakeUp = job.wakeUp ?? new WakeSignal()
  signal.addEventListener('abort', () => wakeUp.wake(), { once: true })
  while (!signal.aborted) await wakeUp.wait(await oneRound(job, log, metrics))
}

async function oneRound(job: Job, log: Log, metrics: Metrics): Promise<number> {
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1_000
  try {
    const more = await job.round()
    metrics.job(job.name, 'done', seconds())
    return more ? job.busyMs : job.idleMs
  } catch (error) {
    metrics.job(job.name, 'failed', seconds())
    log.error({ job: job.name, err: error }, 'a background job failed; it will be tried again')
    return Math.max(job.idleMs, AFTER_FAILURE_MS)
  }
}

/** A wake-up signal for one waiter. Sent while nobody waits, it ends the next wait at once, so no signal is lost. */
export class WakeSignal {
  #isPending = false
  #resume: (() => void) | null = null

  wake(): void {
    if (this.#resume === null) this.#isPending = true
    else this.#resume()
  }

  /** Resolves on the signal, and after `ms` at the latest. */
  wait(ms: number): Promise<void> {
    if (this.#isPending) {
      this.#isPending = false
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      const over = () => {
        clearTimeout(timer)
        this.#resume = null
        resolve()
      }
      const timer = setTimeout(over, ms)
      this.#resume = over
    })
  }
}

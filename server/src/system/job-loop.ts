import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** A piece of background work. Polling is the truth: a round that found work runs again soon, an idle one waits. */
export type Job = {
  readonly name: string
  readonly busyMs: number
  readonly idleMs: number
  /** Ends the wait for the next round. */
  readonly bell?: Bell
  /** One small batch. True when there may be more to do. */
  round(): Promise<boolean>
}

type Around = { readonly log: Log; readonly metrics: Metrics; readonly signal: AbortSignal }

/** After a failure the next round waits at least this long, so that a broken database is not hammered. */
const AFTER_FAILURE_MS = 1_000

/** Runs until the signal; the round under way when it comes is finished first. A failing round never ends the loop. */
export async function runJob(job: Job, { log, metrics, signal }: Around): Promise<void> {
  const bell = job.bell ?? new Bell()
  signal.addEventListener('abort', () => bell.ring(), { once: true })
  while (!signal.aborted) await bell.wait(await oneRound(job, log, metrics))
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

/** Wakes the one who waits for it. Rung while nobody waits, it ends the next wait at once: no ring is lost. */
export class Bell {
  #rung = false
  #wake: (() => void) | null = null

  ring(): void {
    if (this.#wake === null) this.#rung = true
    else this.#wake()
  }

  /** Until it rings, or for as long as given. */
  wait(ms: number): Promise<void> {
    if (this.#rung) {
      this.#rung = false
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      const over = () => {
        clearTimeout(timer)
        this.#wake = null
        resolve()
      }
      const timer = setTimeout(over, ms)
      this.#wake = over
    })
  }
}

import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { type Tracing, withSpan } from './tracing.ts'

/**
 * A background job. It finds all its work by polling, so a lost wake-up signal only delays work. After a round that found work
 * the next round follows soon; an idle job waits.
 */
export type Job = {
  readonly name: string
  /** The wait after a round that found work. */
  readonly busyMs: number
  /** The wait after a round that found no work. */
  readonly idleMs: number
  /** Ends the wait for the next round. */
  readonly wakeUp?: WakeSignal
  /**
   * The wait between rounds while the job is quiet: after two seconds without work and without a wake-up signal. Only for jobs
   * whose work comes from writes: if the signal of a write was lost, `watchWrites` ends the wait within a second.
   */
  readonly quietMs?: number
  /**
   * For scheduled work: the milliseconds until the next work is due, or null without such work. The loop calls this function
   * before a quiet wait, which then ends when the work is due. A write that changes when work is due ends the wait too, so that
   * the loop calls the function again.
   */
  dueInMs?(): Promise<number | null>
  /** Does one small batch of work. Resolves to true if there may be more work. */
  round(): Promise<boolean>
}

/**
 * After a signal, or a round that found work, a job stays active for this long: it polls at its idle pace (`idleMs`). Only some
 * commits send a signal (see `wakingWorkers`); these polls find the work of the other commits.
 */
const ACTIVE_MS = 2_000

type Around = {
  readonly log: Log
  readonly metrics: Metrics
  readonly signal: AbortSignal
  /** Null if traces are not exported. */
  readonly tracing?: Tracing | null
  /** Records every round, for the operators' list of all jobs. */
  readonly runs?: { record(job: string, seconds: number, error?: unknown): void }
}

/** After a failure the next round waits at least this long, to spare a broken database. */
const AFTER_FAILURE_MS = 1_000

/** Runs rounds until `signal` aborts, and finishes the running one first. A failing round never ends the loop. */
export async function runJob(job: Job, around: Around): Promise<void> {
  const { signal } = around
  const wakeUp = job.wakeUp ?? new WakeSignal()
  signal.addEventListener('abort', () => wakeUp.wake(), { once: true })
  let activeUntil = performance.now() + ACTIVE_MS
  const stayActive = () => {
    activeUntil = performance.now() + ACTIVE_MS
  }
  const idleMs = () => (performance.now() < activeUntil ? job.idleMs : (job.quietMs ?? job.idleMs))
  while (!signal.aborted) {
    const outcome = await oneRound(job, around)
    if (outcome === 'busy') stayActive()
    const waitMs = waitAfter(outcome, job, idleMs())
    if (await wakeUp.wait(outcome === 'idle' ? await untilDue(job, waitMs) : waitMs)) stayActive()
  }
}

type Outcome = 'busy' | 'idle' | 'failed'

function waitAfter(outcome: Outcome, { busyMs }: Job, idleMs: number): number {
  switch (outcome) {
    case 'busy':
      return busyMs
    case 'idle':
      return idleMs
    case 'failed':
      return Math.max(idleMs, AFTER_FAILURE_MS)
  }
}

/**
 * The wait until work becomes due, at most `waitMs`. If due work remains after a round, another worker has locked it. That
 * worker does it, or a later poll finds it.
 */
async function untilDue({ dueInMs, idleMs }: Job, waitMs: number): Promise<number> {
  if (dueInMs === undefined || waitMs <= idleMs) return waitMs
  // If the read fails, the job polls at its idle pace. The next round reports the error.
  const dueMs = await dueInMs().catch(() => 0)
  if (dueMs === null) return waitMs
  return dueMs <= 0 ? idleMs : Math.min(waitMs, Math.ceil(dueMs) + 1)
}

async function oneRound(job: Job, { log, metrics, tracing = null, runs }: Around): Promise<Outcome> {
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1_000
  try {
    const more = await (tracing === null ? job.round() : tracedRound(job, tracing))
    metrics.job(job.name, 'done', seconds())
    runs?.record(job.name, seconds())
    return more ? 'busy' : 'idle'
  } catch (error) {
    metrics.job(job.name, 'failed', seconds())
    runs?.record(job.name, seconds(), error ?? 'no error')
    log.error({ job: job.name, err: error }, 'a background job failed; it will be tried again')
    return 'failed'
  }
}

/** A round that wrote nothing has no span. */
async function tracedRound(job: Job, tracing: Tracing): Promise<boolean> {
  const attributes = { 'portico.job': job.name }
  const span = tracing.start(`job ${job.name}`, { kind: 'INTERNAL', attributes, discardIfIdle: true })
  return span === null ? job.round() : withSpan(span, () => job.round())
}

/**
 * A job that ends the waits of quiet jobs if something was written since its last round. So all quiet jobs together cost
 * one small read a second, and a lost signal delays their work by at most a second.
 */
export function watchWrites(newestWrite: () => Promise<string>, quiet: readonly Pick<Job, 'wakeUp'>[]): Job {
  let seen: string | null = null
  return {
    name: 'watch_writes',
    busyMs: WATCH_MS,
    idleMs: WATCH_MS,
    round: async () => {
      const newest = await newestWrite()
      if (newest !== seen) for (const { wakeUp } of quiet) wakeUp?.pollOnce()
      seen = newest
      return false
    },
  }
}

const WATCH_MS = 1_000

/**
 * A wake-up signal for one job. A signal that is sent while the job does not wait ends the next wait at once, so no signal is
 * lost.
 */
export class WakeSignal {
  #pending: 'wake' | 'poll' | null = null
  #resume: ((bySignal: boolean) => void) | null = null

  wake(): void {
    if (this.#resume === null) this.#pending = 'wake'
    else this.#resume(true)
  }

  /** Ends the wait as the time limit would: the job polls once and then stays quiet. */
  pollOnce(): void {
    if (this.#resume === null) this.#pending ??= 'poll'
    else this.#resume(false)
  }

  /** Resolves to true on the signal, and to false on `pollOnce` or after `ms` without a signal. */
  wait(ms: number): Promise<boolean> {
    if (this.#pending !== null) {
      const bySignal = this.#pending === 'wake'
      this.#pending = null
      return Promise.resolve(bySignal)
    }
    return new Promise((resolve) => {
      const over = (bySignal: boolean) => {
        clearTimeout(timer)
        this.#resume = null
        resolve(bySignal)
      }
      const timer = setTimeout(over, ms, false)
      this.#resume = over
    })
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { WallClock } from '#kernel/clock.ts'
import type { MailBrand, MailSettings } from '#mail/index.ts'
import type { Log, LogFormat } from '#system/log.ts'
import type { MetricSnapshot } from '#system/metrics.ts'
import type { Databases } from '#system/postgres/database.ts'
import type { TracingSettings } from '#system/tracing.ts'
import { STOP_STEPS_MS, within } from './within.ts'

/** The settings of a worker, as plain data that can be sent to a thread. */
export type WorkerSettings = {
  readonly databaseUrl: string
  readonly poolSize: number
  readonly logLevel: string
  readonly logFormat: LogFormat | null
  /** The sealing secret, which opens the signing secrets of endpoints. */
  readonly secret: string
  readonly previousSecrets: readonly string[]
  readonly brand: string
  readonly platformName: string
  /** Whether deliveries of the test world may go to this machine. */
  readonly loopbackWebhooks: boolean
  /** The addresses of this service, to which deliveries are never sent. */
  readonly ownOrigins: readonly string[]
  /** The smallest group of people in referral statistics. */
  readonly referralPeopleMin: number
  /** How mail is sent; null if it is not configured. */
  readonly mail: MailSettings | null
  readonly mailBrand: MailBrand
  /** Null if no traces are exported. */
  readonly tracing: TracingSettings | null
  /** Whether webhooks contain the trace of their event. */
  readonly traceWebhooks: boolean
}

/** Messages from the main thread to the workers' thread. */
export type ToWorker =
  | { readonly type: 'stop' }
  /** A transaction was committed: poll for work now. */
  | { readonly type: 'wake' }
  | { readonly type: 'get_metrics'; readonly requestId: number }
export type FromWorker =
  | { readonly type: 'alive'; readonly eventLoopMs: number }
  | { readonly type: 'metrics'; readonly requestId: number; readonly snapshot: MetricSnapshot }

/** The workers' thread, as the other code of the process uses it. */
export type WorkerHost = {
  health(): { readonly eventLoopMs: number; readonly silentMs: number }
  /** Ends the workers' waits for their next poll, because there may be work. */
  wake(): void
  /** Null if the thread does not respond in time. */
  snapshot(): Promise<MetricSnapshot | null>
  /**
   * Waits for running rounds, up to a time limit. A round that exceeds the limit is rolled back and runs again later.
   */
  stop(): Promise<void>
}

const ENTRY = new URL('./worker-thread.ts', import.meta.url)
const ANSWER_WITHIN_MS = 1_000
const RESTART_AFTER_MS = 1_000
/**
 * Ten times the memory that the workers need. With a limit below the machine's memory, V8 collects garbage before the heap grows
 * to several times its content; publishing a million records then takes 100 MB less memory.
 */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 384 }

/** Starts the workers' thread, and starts it again if it dies. A thread that dies only delays work and loses none. */
export function hostWorkers(settings: WorkerSettings, { log, clock }: { log: Log; clock: WallClock }): WorkerHost {
  const pending = new Map<number, (snapshot: MetricSnapshot) => void>()
  let lastRequestId = 0
  let stopping = false
  let lastSeen = clock.now()
  let eventLoopMs = 0
  let thread = launch()
  let ended = supervise(thread)

  function launch(): Worker {
    const worker = new Worker(ENTRY, { workerData: settings, resourceLimits: HEAP_LIMITS })
    worker.on('message', receive)
    worker.on('error', (error) => log.error({ err: error }, 'the worker thread failed'))
    return worker
  }

  function receive(message: FromWorker): void {
    lastSeen = clock.now()
    switch (message.type) {
      case 'alive':
        eventLoopMs = message.eventLoopMs
        return
      case 'metrics':
        pending.get(message.requestId)?.(message.snapshot)
        pending.delete(message.requestId)
    }
  }

  async function supervise(worker: Worker): Promise<void> {
    await new Promise((resolve) => worker.once('exit', resolve))
    if (stopping) return
    log.error('the worker thread ended by itself; starting it again')
    await wait(RESTART_AFTER_MS)
    if (stopping) return
    thread = launch()
    ended = supervise(thread)
  }

  const send = (message: ToWorker) => thread.postMessage(message)

  return {
    health: () => ({ eventLoopMs, silentMs: clock.now() - lastSeen }),
    wake: () => send({ type: 'wake' }),
    snapshot() {
      const requestId = ++lastRequestId
      const answered = new Promise<MetricSnapshot>((resolve) => pending.set(requestId, resolve))
      send({ type: 'get_metrics', requestId })
      const late = wait(ANSWER_WITHIN_MS, null, { ref: false }).finally(() => pending.delete(requestId))
      return Promise.race([answered, late])
    },
    async stop() {
      stopping = true
      send({ type: 'stop' })
      await within(STOP_STEPS_MS.workers, ended, () => thread.terminate())
    },
  }
}

type Waking = { readonly wake: () => void; readonly clock: WallClock }

/** The first commit after this time without commits wakes the workers at once. */
const SILENCE_MS = 100
/**
 * While commits follow each other, one commit in each interval of this length wakes the workers, so that they keep polling at
 * their idle pace.
 */
const AGAIN_AFTER_MS = 1_000

/**
 * The databases for requests. The first commit after an idle time wakes the workers, so that they do not wait for their next
 * poll. Of the commits right after it, only one per second wakes them: a signal for each commit would turn a few large batches
 * into many small ones.
 */
export function wakingWorkers(databases: Databases, { wake, clock }: Waking): Databases {
  let lastCommitMs = Number.NEGATIVE_INFINITY
  let lastWakeMs = Number.NEGATIVE_INFINITY
  const committed = <T>(result: T): T => {
    const nowMs = clock.now()
    if (nowMs - lastCommitMs > SILENCE_MS || nowMs - lastWakeMs > AGAIN_AFTER_MS) {
      wake()
      lastWakeMs = nowMs
    }
    lastCommitMs = nowMs
    return result
  }
  const { test, live, platform } = databases
  return {
    ...databases,
    test: { ...test, transaction: (work) => test.transaction(work).then(committed) },
    live: { ...live, transaction: (work) => live.transaction(work).then(committed) },
    platform: { ...platform, transaction: (work) => platform.transaction(work).then(committed) },
  }
}

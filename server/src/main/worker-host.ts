import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { WallClock } from '#kernel/clock.ts'
import type { Log } from '#system/log.ts'
import type { MetricSnapshot } from '#system/metrics.ts'
import type { Databases } from '#system/postgres/database.ts'
import { within } from './within.ts'
import type { FromWorker, ToWorker, WorkerSettings } from './worker-settings.ts'

/** The workers as the rest of the process sees them. */
export type WorkerHost = {
  health(): { readonly eventLoopMs: number; readonly silentMs: number }
  /** There may be something to do. */
  wake(): void
  /** Null when the thread does not answer in time. */
  snapshot(): Promise<MetricSnapshot | null>
  /** Lets the rounds under way finish, if they do so in time; what is cut off is rolled back and done again later. */
  stop(): Promise<void>
}

const ENTRY = new URL('./worker-thread.ts', import.meta.url)
const ANSWER_WITHIN_MS = 1_000
const RESTART_AFTER_MS = 1_000
const FINISH_WITHIN_MS = 10_000
/**
 * Ten times what the workers keep. Not so much for the day they want more: below the size of the machine V8 cleans up before
 * the heap has grown to several times what is in it, and publishing a million records takes 100 MB less of memory.
 */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 384 }

/** Starts the workers' thread, and starts it again should it die: a dead worker loses nothing, it only waits. */
export function hostWorkers(settings: WorkerSettings, { log, clock }: { log: Log; clock: WallClock }): WorkerHost {
  const answers = new Map<number, (snapshot: MetricSnapshot) => void>()
  let questions = 0
  let stopping = false
  let lastSeen = clock.now()
  let eventLoopMs = 0
  let thread = launch()
  let ended = supervise(thread)

  function launch(): Worker {
    const worker = new Worker(ENTRY, { workerData: settings, resourceLimits: HEAP_LIMITS })
    worker.on('message', hear)
    worker.on('error', (error) => log.error({ err: error }, 'the worker thread failed'))
    return worker
  }

  function hear(message: FromWorker): void {
    lastSeen = clock.now()
    switch (message.say) {
      case 'alive':
        eventLoopMs = message.eventLoopMs
        return
      case 'measured':
        answers.get(message.question)?.(message.snapshot)
        answers.delete(message.question)
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

  const tell = (message: ToWorker) => thread.postMessage(message)

  return {
    health: () => ({ eventLoopMs, silentMs: clock.now() - lastSeen }),
    wake: () => tell({ say: 'wake' }),
    snapshot() {
      const question = ++questions
      const answered = new Promise<MetricSnapshot>((resolve) => answers.set(question, resolve))
      tell({ say: 'measure', question })
      const late = wait(ANSWER_WITHIN_MS, null, { ref: false }).finally(() => answers.delete(question))
      return Promise.race([answered, late])
    },
    async stop() {
      stopping = true
      tell({ say: 'stop' })
      await within(FINISH_WITHIN_MS, ended, () => thread.terminate())
    },
  }
}

type Waking = { readonly wake: () => void; readonly clock: WallClock }

/** By then the workers have looked by themselves. */
const SILENCE_MS = 100

/**
 * The databases as requests use them: the first commit after a silence wakes the workers, which find now what they would
 * have found at their next poll. Those that follow do not: where there is much to do, being woken for each makes many
 * small batches out of a few large ones.
 */
export function wakingWorkers(databases: Databases, { wake, clock }: Waking): Databases {
  let lastMs = Number.NEGATIVE_INFINITY
  const committed = <T>(result: T): T => {
    const nowMs = clock.now()
    if (nowMs - lastMs > SILENCE_MS) wake()
    lastMs = nowMs
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

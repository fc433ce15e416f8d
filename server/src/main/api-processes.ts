import cluster, { type Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { codeOf } from '#http/listen.ts'
import { systemClock } from '#kernel/clock.ts'
import { localCounter } from '#system/counting/local-counter.ts'
import { countFor } from '#system/counting/remote-counter.ts'
import type { Log } from '#system/log.ts'
import { type MetricSnapshot, openMetrics } from '#system/metrics.ts'
import type { Config } from './config.ts'
import type { DemoFile } from './optional-workspaces.ts'
import { firstFreePort, isFree } from './port.ts'
import { type FromProcess, PendingRequests, type ProcessStart, type ToProcess } from './process-messages.ts'
import type { ServedApi } from './serve-api.ts'
import { PROCESS_GIVE_UP_MS, within } from './within.ts'
import type { WorkerHost } from './worker-host.ts'

const ENTRY = new URL('./api-process.ts', import.meta.url)

const RESTART_AFTER_MS = 1_000
const HEALTH_EVERY_MS = 1_000
const ANSWER_WITHIN_MS = 1_000
/**
 * How many ports to try: after the system has chosen a port, another program may take it before the first process
 * listens.
 */
const CHOICES_MAX = 10

type Parts = {
  readonly config: Config
  readonly start: Omit<ProcessStart, 'number' | 'port' | 'poolSize' | 'workers' | 'demo'>
  readonly workers: WorkerHost | null
  readonly log: Log
}

/**
 * Answers requests in several processes on one address. This process is the primary: it accepts connections and passes them to
 * the other processes in turn, counts limits for all of them, and replaces a process that ends. It answers no request itself
 * (docs/decisions/0040-api-processes.md).
 */
export async function serveApiInProcesses(parts: Parts): Promise<ServedApi> {
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({ exec: fileURLToPath(ENTRY), args: [] })
  const processes = new ApiProcesses(parts)
  try {
    const address = await processes.start()
    return {
      address,
      showDemo: (file) => processes.showDemo(file),
      // Each process prepares its own routes.
      prepare: async () => {},
      close: () => processes.stop(),
    }
  } catch (error) {
    await processes.stop()
    throw error
  }
}

class ApiProcesses {
  readonly #parts: Parts
  readonly #counter = localCounter(systemClock)
  readonly #metrics = openMetrics('primary')
  readonly #metricRequests = new PendingRequests<MetricSnapshot>()
  readonly #running = new Map<number, Worker>()
  /** The numbers of the processes that listen. */
  readonly #listening = new Set<number>()
  readonly #replacing = new Set<Promise<void>>()
  readonly #health: NodeJS.Timeout
  readonly #stopping = new AbortController()
  #port = 0
  #demo: DemoFile | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    this.#health = setInterval(() => {
      const { workers } = parts
      if (workers !== null) this.#sendAll({ type: 'worker_health', health: workers.health() })
    }, HEALTH_EVERY_MS)
  }

  /** Resolves to the address when all processes answer requests. */
  async start(): Promise<string> {
    const { apiProcesses: count } = this.#parts.config
    const address = await this.#startFirst()
    await Promise.all(Array.from({ length: count - 1 }, (_, at) => this.#launch(at + 2)))
    return address
  }

  /** All processes have to listen on the same port, so the first process chooses it. */
  #startFirst(): Promise<string> {
    const { config } = this.#parts
    const where = { host: config.host, port: config.port, portIsExplicit: config.isExplicit('port') }
    return firstFreePort(where, async (candidate) => {
      for (let choice = 1; ; choice++) {
        this.#port = await isFree(candidate)
        try {
          return await this.#launch(1)
        } catch (error) {
          const isTaken = candidate.port === 0 && codeOf(error) === 'EADDRINUSE'
          if (!isTaken || choice === CHOICES_MAX) throw error
        }
      }
    })
  }

  /** Resolves to the address when the process answers requests. A process that ends later is replaced. */
  #launch(number: number): Promise<string> {
    const { start, config, workers } = this.#parts
    const child = cluster.fork()
    this.#running.set(number, child)
    return new Promise((resolve, reject) => {
      child.on('message', (message: FromProcess) => {
        if (message.type === 'listening') {
          this.#listening.add(number)
          this.#countProcesses()
          resolve(message.address)
        } else if (message.type === 'failed') {
          reject(Object.assign(new Error(message.message), { code: message.code }))
        } else this.#receive(child, message)
      })
      child.once('exit', (code, signal) => {
        // If the process could not listen, a new process may already have its number.
        if (this.#running.get(number) === child) this.#running.delete(number)
        const isListening = this.#listening.delete(number)
        this.#countProcesses()
        reject(new Error(`a process that answers requests ended with ${signal ?? code}`))
        if (isListening && !this.#isStopping) this.#replace(number, signal ?? code)
      })
      // Sending to a process that has ended fails, because its channel is closed.
      child.on('error', (error) => this.#parts.log.warn({ process: number, err: error }, 'a message was not sent'))
      const own = {
        number,
        port: this.#port,
        // The pools of all processes together are about as large as those of one process. Each has at least two
        // connections.
        poolSize: Math.max(2, Math.ceil(config.poolSize / config.apiProcesses)),
        workers: workers?.health() ?? null,
        demo: this.#demo,
      }
      send(child, { type: 'start', ...start, ...own })
    })
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  #countProcesses(): void {
    this.#metrics.apiProcesses(this.#listening.size, this.#parts.config.apiProcesses)
  }

  #replace(number: number, ended: string | number): void {
    this.#parts.log.error({ process: number, ended }, 'a process that answers requests ended; another one replaces it')
    const replaced = this.#launchUntilItRuns(number).finally(() => this.#replacing.delete(replaced))
    this.#replacing.add(replaced)
  }

  async #launchUntilItRuns(number: number): Promise<void> {
    const { log } = this.#parts
    while (!this.#isStopping) {
      try {
        await this.#launch(number)
        log.info({ process: number }, 'the process answers requests')
        return
      } catch (error) {
        if (this.#isStopping) return
        log.error({ process: number, err: error }, 'the process could not be replaced; trying again in a moment')
        await wait(RESTART_AFTER_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
      }
    }
  }

  #receive(child: Worker, message: Exclude<FromProcess, { type: 'listening' | 'failed' }>): void {
    switch (message.type) {
      case 'wake_workers':
        this.#parts.workers?.wake()
        return
      case 'metrics':
        this.#metricRequests.receive(message.requestId, message.snapshot)
        return
      case 'get_other_metrics':
        void this.#metricsExcept(child).then((snapshots) =>
          send(child, { type: 'other_metrics', requestId: message.requestId, snapshots }),
        )
        return
      default: {
        const reply = countFor(this.#counter, message)
        if (reply !== null) send(child, reply)
      }
    }
  }

  /** A process that does not respond in time is left out. */
  async #metricsExcept(except: Worker): Promise<readonly MetricSnapshot[]> {
    const others = [...this.#running.values()].filter((child) => child !== except)
    const measure = (child: Worker) =>
      this.#metricRequests.send(ANSWER_WITHIN_MS, (requestId) => send(child, { type: 'get_metrics', requestId }))
    const snapshots = await Promise.all([
      this.#metrics.snapshot(),
      this.#parts.workers?.snapshot() ?? null,
      ...others.map(measure),
    ])
    return snapshots.filter((snapshot) => snapshot !== null)
  }

  showDemo(demo: DemoFile): void {
    this.#demo = demo
    this.#sendAll({ type: 'demo', demo })
  }

  #sendAll(message: ToProcess): void {
    for (const child of this.#running.values()) send(child, message)
  }

  /** Each process finishes its running requests. A process that does not end in time is killed. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#health)
    this.#metrics.stop()
    await Promise.all([...this.#running.values()].map(end))
    await Promise.all(this.#replacing)
  }
}

async function end(child: Worker): Promise<void> {
  if (child.isDead()) return
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  send(child, { type: 'stop' })
  await within(PROCESS_GIVE_UP_MS, exited, () => child.process.kill('SIGKILL'))
  await exited
}

/** A process may end at any time. A message that it can no longer receive is dropped. */
function send(child: Worker, message: ToProcess): void {
  if (child.isConnected()) child.send(message, undefined, () => {})
}

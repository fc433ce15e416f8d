import cluster from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { codeOf } from '#http/listen.ts'
import { factRules } from '#intake/facts/index.ts'
import { systemClock } from '#kernel/clock.ts'
import { remoteCounter } from '#system/counting/remote-counter.ts'
import { openLog, standardOutput } from '#system/log.ts'
import { type MetricSnapshot, type Metrics, openMetrics } from '#system/metrics.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { announceWork } from '#system/postgres/work-channel.ts'
import { loadConfig, tracingSettings } from './config.ts'
import { happeningSettings } from './module-settings.ts'
import type { DemoFile } from './optional-workspaces.ts'
import {
  type FromProcess,
  PendingRequests,
  type ProcessStart,
  type ToProcess,
  type WorkerHealth,
} from './process-messages.ts'
import { type ServedApi, serveApi } from './serve-api.ts'
import { PROCESS_GIVE_UP_MS, STOP_STEPS_MS, within } from './within.ts'
import { wakingWorkers } from './worker-host.ts'

/**
 * The entry of one of several processes that answer requests (api-processes.ts). If the primary process dies, the
 * channel to the primary process is closed, and Node ends this process.
 */

const ANSWER_WITHIN_MS = 2_000
const PREPARE_AFTER_MS = 5_000

if (!cluster.isWorker) throw new Error('api-process.ts must be started by api-processes.ts')
const stopping = new AbortController()
const otherMetrics = new PendingRequests<readonly MetricSnapshot[]>()
const counter = remoteCounter((request) => send(request))
const config = loadConfig()
let own: { readonly metrics: Metrics; readonly api: ServedApi | null } | null = null
let workers: { readonly health: WorkerHealth; readonly receivedMs: number } | null = null
let demo: DemoFile | null = null

process.on('message', (message: ToProcess) => {
  switch (message.type) {
    case 'start':
      run(message).then(() => process.exit(0), fail)
      return
    case 'demo':
      demo = message.demo
      own?.api?.showDemo(demo)
      return
    case 'worker_health':
      workers = { health: message.health, receivedMs: systemClock.now() }
      return
    case 'get_metrics':
      void own?.metrics.snapshot().then((snapshot) => send({ type: 'metrics', requestId: message.requestId, snapshot }))
      return
    case 'other_metrics':
      otherMetrics.receive(message.requestId, message.snapshots)
      return
    case 'stop':
      stopping.abort()
      return
    default:
      counter.receive(message)
  }
})
// A terminal sends its signal to every process. If an operator signals only this process, the primary process replaces it.
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => stopping.abort())
stopping.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), PROCESS_GIVE_UP_MS).unref())

/** Answers requests until this process is to stop, then closes everything. */
async function run(start: ProcessStart): Promise<void> {
  const { number, role, port, poolSize, databaseUrl, secret, migrationsKnown } = start
  const { signal } = stopping
  const output = standardOutput(config.logFormat)
  const log = openLog(config.logLevel, output, tracingSettings(config) !== null).child({ process: number })
  const metrics = openMetrics('api', number)
  own = { metrics, api: null }
  workers = start.workers === null ? null : { health: start.workers, receivedMs: systemClock.now() }
  demo = start.demo
  await using opened = new AsyncDisposableStack()
  const databases = await openDatabases({
    url: databaseUrl,
    poolSize,
    onError: (home, reason) => log.warn({ home, reason }, 'an idle database connection was lost'),
  })
  opened.defer(() =>
    within(STOP_STEPS_MS.connections, databases.close(), () =>
      log.warn('the database connections did not close in time'),
    ),
  )
  const wake = () => (workers === null ? announceWork(databases.platform) : send({ type: 'wake_workers' }))
  const api = await serveApi({
    ...{ role, secret, databaseUrl, migrationsKnown, log, signal, metrics, counter },
    config: { ...config, port, poolSize, isExplicit: (name) => name === 'port' || config.isExplicit(name) },
    databases: wakingWorkers(databases, { wake, clock: systemClock }),
    workers: workers === null ? null : { health: workersHealth },
    rules: factRules(happeningSettings(config, secret)),
    otherMetrics: async () =>
      (await otherMetrics.send(ANSWER_WITHIN_MS, (requestId) => send({ type: 'get_other_metrics', requestId }))) ?? [],
  })
  opened.defer(() => api.close())
  own = { metrics, api }
  if (demo !== null) api.showDemo(demo)
  send({ type: 'listening', address: api.address })
  void wait(PREPARE_AFTER_MS, undefined, { signal }).then(api.prepare, () => {})
  if (!signal.aborted) await once(signal, 'abort')
}

/** The workers' health from the primary process's last report. The time since that report counts as silence. */
function workersHealth(): WorkerHealth {
  if (workers === null) throw new Error('the workers run elsewhere')
  const { health, receivedMs } = workers
  return { ...health, silentMs: health.silentMs + systemClock.now() - receivedMs }
}

function fail(error: unknown): void {
  if (stopping.signal.aborted) process.exit(0)
  const { cause = error } = error instanceof Error ? error : {}
  const message = error instanceof Error ? error.message : String(error)
  send({ type: 'failed', code: codeOf(error) || codeOf(cause), message }, () => process.exit(1))
}

function send(message: FromProcess, sent = () => {}): void {
  process.send?.(message, undefined, undefined, sent)
}

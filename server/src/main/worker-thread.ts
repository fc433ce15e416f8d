import { parentPort, workerData } from 'node:worker_threads'
import { openLog, standardOutput } from '#system/log.ts'
import { openMetrics } from '#system/metrics.ts'
import { runWorker } from './worker.ts'
import type { FromWorker, ToWorker, WorkerSettings } from './worker-host.ts'

/** The entry of the workers' thread. The workers have their own thread, so that their batches do not delay requests. */

const ALIVE_EVERY_MS = 1_000

if (parentPort === null) throw new Error('worker-thread.ts must be started by worker-host.ts, in a thread')
const port = parentPort
const settings = workerData as WorkerSettings
const stopping = new AbortController()
let wake = () => {}
const metrics = openMetrics('worker')
const log = openLog(settings.logLevel, standardOutput(settings.logFormat), settings.tracing !== null)

const send = (message: FromWorker) => port.postMessage(message)

port.on('message', (message: ToWorker) => {
  switch (message.type) {
    case 'stop':
      return stopping.abort()
    case 'wake':
      return wake()
    case 'get_metrics':
      metrics.snapshot().then(
        (snapshot) => send({ type: 'metrics', requestId: message.requestId, snapshot }),
        // The host stops waiting, so this response of /metrics lacks the metrics of the workers' thread.
        (error: unknown) => log.error({ err: error }, 'the worker thread could not collect its metrics'),
      )
  }
})

const alive = setInterval(() => send({ type: 'alive', eventLoopMs: metrics.eventLoopWorstMs() }), ALIVE_EVERY_MS)
try {
  await runWorker(settings, {
    log,
    metrics,
    signal: stopping.signal,
    onStarted: (started) => {
      wake = started.wake
    },
  })
} finally {
  clearInterval(alive)
  metrics.stop()
  port.close()
}

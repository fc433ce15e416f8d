import { monitorEventLoopDelay } from 'node:perf_hooks'
import {
  AggregatorRegistry,
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { World } from '#kernel/world.ts'
import { measurePools, type Pools } from './database-metrics.ts'

export type MetricSnapshot = MetricObjectWithValues<MetricValue<string>>[]

/** `internal`: an internal error prevented the send; the delivery is retried. */
export type DeliveryOutcome = 'delivered' | 'again' | 'exhausted' | 'canceled' | 'internal'

export type SpanOutcome = 'exported' | 'failed' | 'dropped'
export type ReplicaMetrics = { readonly isUsed: boolean; readonly lagSeconds: number | null }

/** The metrics of one thread. /metrics merges those of all API processes, their primary process and the workers. */
export type Metrics = {
  request(operation: string, status: number, seconds: number): void
  job(name: string, outcome: 'done' | 'failed', seconds: number): void
  /** One delivery attempt: its outcome, and how long the receiver took. */
  delivery(world: World, outcome: DeliveryOutcome, seconds: number): void
  /** A request that a limit rejected. */
  limitRefused(limit: string): void
  /** Called when limits begin to be counted in this store. */
  limitsCountedIn(store: 'redis' | 'process'): void
  /** Counts spans that were sent to the collector, that it did not accept, or that were dropped because too many were waiting. */
  spans(outcome: SpanOutcome, count: number): void
  /** How many processes answer requests, and how many should. Called by their primary process. */
  apiProcesses(running: number, wanted: number): void
  /** Counts a read that may be stale. `outcome`: `replica`, or the reason why the read ran on the primary. */
  staleRead(outcome: string): void
  replica(name: string, state: ReplicaMetrics): void
  /** Adds these pools to the metrics. */
  pools(pools: Pools): void
  /** Worst delay of this thread's event loop over about the last second, in milliseconds. */
  eventLoopWorstMs(): number
  snapshot(): Promise<MetricSnapshot>
  stop(): void
}

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const LOOP_SAMPLE_MS = 1_000

/** `primary` is the process that starts the other processes, accepts connections for them and counts limits for them. */
type Thread = 'api' | 'worker' | 'primary'

/**
 * `processNumber` is the number of this process if several processes answer requests. It is a label, so that a new process
 * continues the time series of the process that it replaces.
 */
export function openMetrics(thread: Thread, processNumber?: number): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ thread, ...(processNumber === undefined ? {} : { process: String(processNumber) }) })
  const requests = new Histogram({
    name: 'portico_http_request_seconds',
    help: 'Time from the headers of a request to the end of its response.',
    labelNames: ['operation', 'status'],
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  })
  const jobs = new Histogram({
    name: 'portico_job_seconds',
    help: 'Time of one round of a background job.',
    labelNames: ['job', 'outcome'],
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  })
  const deliveries = new Histogram({
    name: 'portico_webhook_delivery_seconds',
    help: 'Time of one attempt to deliver an event, by outcome; 0 if no request was sent.',
    labelNames: ['world', 'outcome'],
    buckets: SECONDS_BUCKETS,
    registers: thread === 'worker' ? [registry] : [],
  })
  const refusals = new Counter({
    name: 'portico_limit_refusals_total',
    help: 'Requests answered with 429, by the limit that was used up.',
    labelNames: ['limit'],
    registers: thread === 'api' ? [registry] : [],
  })
  const countedIn = new Gauge({
    name: 'portico_limits_counted_in',
    help: '1 for the store that counts limits now, 0 for the store that counted them before. Redis at 0 is lost.',
    labelNames: ['store'],
    registers: thread === 'api' ? [registry] : [],
  })
  // The store redis is not reported before Redis was reached once, because a node without Redis cannot lose it.
  countedIn.set({ store: 'process' }, 1)
  const spans = new Counter({
    name: 'portico_trace_spans_total',
    help: 'Spans of sampled traces: exported, failed (the collector did not accept them), or dropped (too many waited).',
    labelNames: ['outcome'],
    registers: thread === 'primary' ? [] : [registry],
  })
  const loop = new Gauge({
    name: 'portico_event_loop_delay_seconds',
    help: 'Worst delay of the event loop over the last second.',
    registers: [registry],
  })
  const staleReads = new Counter({
    name: 'portico_stale_reads_total',
    help: 'Reads that may run on a replica: outcome `replica`, or the reason why the primary answered.',
    labelNames: ['outcome'],
    registers: thread === 'api' ? [registry] : [],
  })
  const replicaLag = new Gauge({
    name: 'portico_replica_lag_seconds',
    help: 'How old the data of a read replica may be. Absent while it is not known.',
    labelNames: ['replica'],
    registers: thread === 'api' ? [registry] : [],
  })
  const replicaUsed = new Gauge({
    name: 'portico_replica_used',
    help: '1 while a read replica is used.',
    labelNames: ['replica'],
    registers: thread === 'api' ? [registry] : [],
  })
  const memory: Gauge = new Gauge({
    name: 'portico_resident_memory_bytes',
    help: 'Resident memory of the process.',
    registers: thread === 'worker' ? [] : [registry],
    collect: () => {
      memory.set(process.memoryUsage.rss())
    },
  })
  const processes = new Gauge({
    name: 'portico_api_processes',
    help: 'Processes that answer requests, and how many there should be. Absent if only one process answers requests.',
    labelNames: ['state'],
    registers: thread === 'primary' ? [registry] : [],
  })
  // A counter would begin at 1 again after each restart, so Prometheus would see no change.
  const started = new Gauge({
    name: 'portico_start_time_seconds',
    help: 'When the thread started, in seconds since 1970.',
    registers: [registry],
  })
  started.set(Date.now() / 1_000)

  const watch = watchEventLoop()
  let worstMs = 0
  const sampling = setInterval(() => {
    worstMs = watch.worstMs()
    loop.set(worstMs / 1_000)
  }, LOOP_SAMPLE_MS)
  sampling.unref()

  return {
    request: (operation, status, seconds) => requests.observe({ operation, status }, seconds),
    job: (job, outcome, seconds) => jobs.observe({ job, outcome }, seconds),
    delivery: (world, outcome, seconds) => deliveries.observe({ world, outcome }, seconds),
    limitRefused: (limit) => refusals.inc({ limit }),
    limitsCountedIn(store) {
      countedIn.set({ store }, 1)
      countedIn.set({ store: store === 'redis' ? 'process' : 'redis' }, 0)
    },
    spans: (outcome, count) => spans.inc({ outcome }, count),
    apiProcesses(running, wanted) {
      processes.set({ state: 'running' }, running)
      processes.set({ state: 'wanted' }, wanted)
    },
    staleRead: (outcome) => staleReads.inc({ outcome }),
    replica(name, { isUsed, lagSeconds }) {
      replicaUsed.set({ replica: name }, isUsed ? 1 : 0)
      if (lagSeconds === null) replicaLag.remove({ replica: name })
      else replicaLag.set({ replica: name }, lagSeconds)
    },
    pools: (pools) => measurePools(registry, pools),
    eventLoopWorstMs: () => worstMs,
    snapshot: () => registry.getMetricsAsJSON() as Promise<MetricSnapshot>,
    stop() {
      clearInterval(sampling)
      watch.stop()
    },
  }
}

/** One page of Prometheus text from the metrics of all threads. */
export function prometheusText(snapshots: readonly MetricSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate([...snapshots]).metrics()
}

/** How late timers run in this thread: shows whether a batch delays requests. */
type EventLoopWatch = {
  /** The longest delay since the last call, in milliseconds. */
  worstMs(): number
  stop(): void
}

const RESOLUTION_MS = 20

function watchEventLoop(): EventLoopWatch {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  return {
    worstMs() {
      // The histogram includes the timer's own period; before its first sample there is no maximum.
      const worst = Math.max(0, histogram.max / 1e6 - RESOLUTION_MS)
      histogram.reset()
      return Math.round(worst * 10) / 10
    },
    stop: () => histogram.disable(),
  }
}

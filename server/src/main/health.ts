import { Type } from 'typebox'
import { open } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'

export type HealthDeps = {
  /** Collects the inputs of the readiness check. */
  facts(): Promise<Facts>
  /** Metrics of all threads and processes of this service, and of its queues, in Prometheus text format. */
  metrics(): Promise<string>
}

const Alive = Type.Object({ status: Type.Literal('ok') }, { title: 'Alive', additionalProperties: false })

const Ready = Type.Object(
  {
    status: Type.Union([Type.Literal('ready'), Type.Literal('not_ready')]),
    checks: Type.Object(
      {
        database: Type.Union([Type.Literal('ok'), Type.Literal('unreachable')]),
        migrations: Type.Union([
          Type.Literal('ok'),
          Type.Literal('behind'),
          Type.Literal('ahead'),
          Type.Literal('unknown'),
        ]),
        workers: Type.Union([Type.Literal('ok'), Type.Literal('silent'), Type.Literal('elsewhere')]),
      },
      { additionalProperties: false },
    ),
    lag: Type.Object(
      { api_event_loop_ms: Type.Number(), worker_event_loop_ms: Type.Union([Type.Number(), Type.Null()]) },
      { additionalProperties: false },
    ),
  },
  { title: 'Ready', additionalProperties: false },
)

export function healthRoutes(deps: HealthDeps): Route[] {
  return [
    route({
      operation: 'getHealth',
      method: 'GET',
      path: '/healthz',
      alias: false,
      summary: 'Check liveness',
      description: 'Answers 200 while the process is alive. It checks nothing else.',
      tag: 'Service',
      access: open('a supervisor has no credential, and learns only that the process runs'),
      schema: { response: { 200: Alive } },
      handler: async () => ({ status: 200, body: { status: 'ok' as const } }),
    }),
    route({
      operation: 'getReadiness',
      method: 'GET',
      path: '/readyz',
      alias: false,
      summary: 'Check readiness',
      description:
        'Returns whether the process can serve, with the state of the database, the migrations, the workers, and the lag of the event loops.',
      tag: 'Service',
      access: open('a load balancer has no credential; the response names no customer and no address'),
      schema: { response: { 200: Ready, 503: Ready } },
      handler: async () => {
        const body = readiness(await deps.facts())
        return body.status === 'ready' ? { status: 200, body } : { status: 503, body }
      },
    }),
    route({
      operation: 'getMetrics',
      method: 'GET',
      path: '/metrics',
      alias: false,
      summary: 'Get metrics',
      description: 'Returns the metrics in the text format of Prometheus.',
      tag: 'Service',
      access: open('scrapers have no credential; the numbers name operations, never callers'),
      contentType: 'text/plain; charset=utf-8',
      schema: { response: { 200: Type.String() } },
      handler: async () => ({ status: 200, body: await deps.metrics() }),
    }),
  ]
}

/** The inputs of the readiness check, collected by the start-up code. */
export type Facts = {
  /** Null if PostgreSQL did not respond. */
  readonly migrationsApplied: number | null
  readonly migrationsKnown: number
  readonly apiEventLoopMs: number
  /** Null if the workers run elsewhere. `silentMs` is the time since the worker thread last reported. */
  readonly worker: { readonly eventLoopMs: number; readonly silentMs: number } | null
}

type Readiness = {
  readonly status: 'ready' | 'not_ready'
  readonly checks: {
    readonly database: 'ok' | 'unreachable'
    readonly migrations: 'ok' | 'behind' | 'ahead' | 'unknown'
    readonly workers: 'ok' | 'silent' | 'elsewhere'
  }
  readonly lag: { readonly api_event_loop_ms: number; readonly worker_event_loop_ms: number | null }
}

/** A worker thread reports every second. After ten missed reports it counts as hanging. */
const WORKER_SILENCE_MAX_MS = 10_000

/**
 * A process is ready if the database responds and has at least the schema of this code, and if the workers of its service report
 * or run elsewhere. During a rolling upgrade old processes find a newer schema. They stay ready, because migrations keep the
 * schema usable for them. Only a process that starts rejects a newer schema.
 */
export function readiness(facts: Facts): Readiness {
  const checks = {
    database: facts.migrationsApplied === null ? ('unreachable' as const) : ('ok' as const),
    migrations: migrationState(facts),
    workers: workerState(facts),
  }
  const ready =
    checks.database === 'ok' &&
    (checks.migrations === 'ok' || checks.migrations === 'ahead') &&
    checks.workers !== 'silent'
  return {
    status: ready ? 'ready' : 'not_ready',
    checks,
    lag: { api_event_loop_ms: facts.apiEventLoopMs, worker_event_loop_ms: facts.worker?.eventLoopMs ?? null },
  }
}

function migrationState({ migrationsApplied, migrationsKnown }: Facts): Readiness['checks']['migrations'] {
  if (migrationsApplied === null) return 'unknown'
  if (migrationsApplied === migrationsKnown) return 'ok'
  return migrationsApplied < migrationsKnown ? 'behind' : 'ahead'
}

function workerState({ worker }: Facts): Readiness['checks']['workers'] {
  if (worker === null) return 'elsewhere'
  return isSilent(worker) ? 'silent' : 'ok'
}

export function isSilent({ silentMs }: { readonly silentMs: number }): boolean {
  return silentMs > WORKER_SILENCE_MAX_MS
}

/** What a load balancer needs to know, gathered by the start-up code. */
export type Facts = {
  /** Null when PostgreSQL did not answer. */
  readonly migrationsApplied: number | null
  readonly migrationsKnown: number
  readonly apiEventLoopMs: number
  /** Null when this process runs no workers; `silentMs` is the time since the worker thread last reported. */
  readonly worker: { readonly eventLoopMs: number; readonly silentMs: number } | null
}

export type Readiness = {
  readonly status: 'ready' | 'not_ready'
  readonly checks: {
    readonly database: 'ok' | 'unreachable'
    readonly migrations: 'ok' | 'behind' | 'ahead' | 'unknown'
    readonly workers: 'ok' | 'silent' | 'elsewhere'
  }
  readonly lag: { readonly api_event_loop_ms: number; readonly worker_event_loop_ms: number | null }
}

/** A worker thread reports every second; ten missed reports mean that it hangs. */
const WORKER_SILENCE_MAX_MS = 10_000

/**
 * Ready means: the database answers with at least the schema this code knows, and the workers of this process are
 * alive. A schema that is ahead is what every old node sees during a rolling upgrade, and migrations are made to be
 * safe for it; only a start refuses one.
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
  return worker.silentMs > WORKER_SILENCE_MAX_MS ? 'silent' : 'ok'
}

import { type Job, WakeSignal } from './job-loop.ts'
import type { PlatformDatabase, PlatformQueries } from './postgres/database.ts'
import { platformStatement } from './postgres/statement.ts'

/**
 * The rounds of one job on this worker since its last write. Times are read from the monotonic clock and written as ages, because
 * the clocks of machines differ.
 */
type UnwrittenRounds = {
  startedMs: number
  seconds: number
  failedMs: number | null
  error: string | null
  rounds: number
  failures: number
}

/** The rounds of a job on all workers: the latest round, the latest failure, and the totals. Times are real time, as text. */
export type JobRun = {
  readonly job: string
  readonly last_started_at: string
  readonly last_seconds: number
  readonly last_failed_at: string | null
  readonly last_error: string | null
  readonly rounds: number
  readonly failures: number
  /** The latest round failed. */
  readonly failing: boolean
  /** The latest round ended longer ago than any job waits between two rounds. */
  readonly silent: boolean
}

const AGO = (seconds: string) => `clock_timestamp() - make_interval(secs => ${seconds})`

const RECORD = platformStatement(
  'system.record_job_runs',
  `insert into platform.job_runs as stored (job, last_started_at, last_seconds, last_failed_at, last_error, rounds, failures)
   select r.job, ${AGO('r.age')}, r.seconds, ${AGO('r.failed_age')}, r.error, r.rounds, r.failures
     from jsonb_to_recordset($1::jsonb)
            as r (job text collate "C", age double precision, seconds double precision, failed_age double precision,
                  error text, rounds bigint, failures bigint)
    order by r.job
   on conflict on constraint job_runs_pkey do update
      set last_started_at = greatest(stored.last_started_at, excluded.last_started_at),
          last_seconds = case when excluded.last_started_at >= stored.last_started_at
                              then excluded.last_seconds else stored.last_seconds end,
          last_failed_at = greatest(stored.last_failed_at, excluded.last_failed_at),
          last_error = case when excluded.last_failed_at >= coalesce(stored.last_failed_at, '-infinity')
                            then excluded.last_error else stored.last_error end,
          rounds = stored.rounds + excluded.rounds, failures = stored.failures + excluded.failures`,
)

/** Deletes the rows of jobs that the running versions no longer have. */
const FORGET = platformStatement(
  'system.forget_job_runs',
  `delete from platform.job_runs where last_started_at < clock_timestamp() - interval '7 days'`,
)

/**
 * A job counts as silent after five minutes: every job waits at most a minute between two rounds, and workers write three times a
 * minute.
 */
const LIST = platformStatement<JobRun>(
  'system.list_job_runs',
  `select job, last_started_at, last_seconds, last_failed_at, last_error, rounds::float8 as rounds,
          failures::float8 as failures, coalesce(last_failed_at >= last_started_at, false) as failing,
          last_started_at < clock_timestamp() - interval '5 minutes' - make_interval(secs => last_seconds) as silent
     from platform.job_runs order by job`,
)

export async function listJobRuns(queries: PlatformQueries): Promise<readonly JobRun[]> {
  return queries.many(LIST)
}

const ERROR_CHARS_MAX = 300
/** The messages of mail servers and of the database may repeat an address. */
const ADDRESS = /\S+@\S+/g

/** The first line of the error, for operators; the log has all of it. */
export function errorLine(error: unknown): string {
  const [line = ''] = messageOf(error).replaceAll('\u0000', '').trim().split('\n')
  return line.replaceAll(ADDRESS, '[address]').slice(0, ERROR_CHARS_MAX) || 'an error without a message'
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

const WRITTEN_EVERY_MS = 20_000
/** The first round of a job, its first failure and its recovery are written after this time and not at the next regular write. */
const CHANGE_AFTER_MS = 1_000

/**
 * Collects the rounds of this worker's jobs and writes them to the database, where operators see the jobs of all workers. If a
 * write fails, the next write contains the rounds.
 */
export class JobRuns {
  readonly #now: () => number
  readonly #wakeUp = new WakeSignal()
  #isWakeUpPlanned = false
  readonly #failing = new Map<string, boolean>()
  #unwritten = new Map<string, UnwrittenRounds>()

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  record(job: string, seconds: number, error: unknown = null): void {
    const nowMs = this.#now()
    const startedMs = nowMs - seconds * 1_000
    const previous = this.#unwritten.get(job)
    const failed = error !== null
    this.#unwritten.set(job, {
      ...{ startedMs, seconds },
      // A failure counts from the beginning of its round, so that a later round is newer.
      failedMs: failed ? startedMs : (previous?.failedMs ?? null),
      error: failed ? errorLine(error) : (previous?.error ?? null),
      rounds: (previous?.rounds ?? 0) + 1,
      failures: (previous?.failures ?? 0) + (failed ? 1 : 0),
    })
    if (this.#failing.get(job) === failed) return
    this.#failing.set(job, failed)
    if (this.#isWakeUpPlanned) return
    this.#isWakeUpPlanned = true
    setTimeout(() => this.#wakeUp.wake(), CHANGE_AFTER_MS).unref()
  }

  async write({ reads }: Pick<PlatformDatabase, 'reads'>): Promise<void> {
    this.#isWakeUpPlanned = false
    if (this.#unwritten.size === 0) return
    const unwritten = this.#unwritten
    this.#unwritten = new Map()
    try {
      await reads.run(RECORD, [JSON.stringify([...unwritten].map(([job, one]) => rowOf(job, one, this.#now())))])
      await reads.run(FORGET)
    } catch (error) {
      for (const [job, older] of unwritten) this.#unwritten.set(job, joined(older, this.#unwritten.get(job)))
      throw error
    }
  }

  /** The job that writes the rounds to the database. */
  job(platform: PlatformDatabase): Job {
    return {
      name: 'record_job_runs',
      busyMs: WRITTEN_EVERY_MS,
      idleMs: WRITTEN_EVERY_MS,
      wakeUp: this.#wakeUp,
      round: async () => {
        await this.write(platform)
        return false
      },
    }
  }
}

function rowOf(job: string, { startedMs, seconds, failedMs, error, rounds, failures }: UnwrittenRounds, nowMs: number) {
  const age = (nowMs - startedMs) / 1_000
  return {
    job,
    age,
    seconds,
    failed_age: failedMs === null ? null : (nowMs - failedMs) / 1_000,
    error,
    rounds,
    failures,
  }
}

function joined(older: UnwrittenRounds, newer: UnwrittenRounds | undefined): UnwrittenRounds {
  if (newer === undefined) return older
  const failure = newer.failedMs === null ? older : newer
  return {
    ...newer,
    ...{ failedMs: failure.failedMs, error: failure.error },
    ...{ rounds: older.rounds + newer.rounds, failures: older.failures + newer.failures },
  }
}

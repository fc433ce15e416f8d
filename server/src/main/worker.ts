import { runJob } from '#system/job-loop.ts'
import type { Log } from '#system/log.ts'
import type { Metrics } from '#system/metrics.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { jobs } from './jobs.ts'
import type { WorkerSettings } from './worker-settings.ts'

/** Runs every job on connections of its own until the signal comes and the rounds under way are done. */
export async function runWorker(
  settings: WorkerSettings,
  around: { log: Log; metrics: Metrics; signal: AbortSignal },
): Promise<void> {
  const databases = await openDatabases({
    url: settings.databaseUrl,
    poolSize: settings.poolSize,
    onError: (home, reason) => around.log.warn({ home, reason }, 'an idle database connection was lost'),
  })
  try {
    await Promise.all(jobs(databases).map((job) => runJob(job, around)))
  } finally {
    await databases.close()
  }
}

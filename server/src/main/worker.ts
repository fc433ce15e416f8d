import { mailDirectory } from '#modules/notices/index.ts'
import { runJob } from '#system/job-loop.ts'
import type { Log } from '#system/log.ts'
import type { Metrics } from '#system/metrics.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { deliveryEngines } from './delivery-engines.ts'
import { jobs } from './jobs.ts'
import type { WorkerSettings } from './worker-settings.ts'

/** Runs every job and sends deliveries, on connections of its own, until the signal comes and what is under way is done. */
export async function runWorker(
  settings: WorkerSettings,
  around: { log: Log; metrics: Metrics; signal: AbortSignal },
): Promise<void> {
  const { log, signal } = around
  const databases = await openDatabases({
    url: settings.databaseUrl,
    poolSize: settings.poolSize,
    onError: (home, reason) => log.warn({ home, reason }, 'an idle database connection was lost'),
  })
  try {
    const engines = deliveryEngines(settings, { ...around, databases })
    const mail = settings.mailDirectory === null ? null : mailDirectory(settings.mailDirectory)
    const all = jobs({ databases, kick: engines.kick, mail, log })
    await Promise.all([engines.run(signal), ...all.map((job) => runJob(job, around))])
  } finally {
    await databases.close()
  }
}

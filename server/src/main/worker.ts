import { WORLDS } from '#kernel/world.ts'
import { openMailer } from '#mail/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { pageLinks } from '#system/crypto/page-link.ts'
import { runJob } from '#system/job-loop.ts'
import type { Log } from '#system/log.ts'
import type { Metrics } from '#system/metrics.ts'
import { type DatabaseOptions, openDatabases } from '#system/postgres/open.ts'
import { deliveryEngines } from './delivery-engines.ts'
import { jobs } from './jobs.ts'
import { releaseSettings } from './referral-parts.ts'
import type { WorkerSettings } from './worker-settings.ts'

/** Fan-out, what ends what was stopped, and of an engine: what is read, what is recorded, and what keeps its lanes. */
const QUEUE_POOL_SIZE = 5

type Around = {
  readonly log: Log
  readonly metrics: Metrics
  readonly signal: AbortSignal
  /** Called with what ends all waiting for the next poll. */
  readonly onStarted: (started: { wake(): void }) => void
}

/** Runs every job and sends deliveries, on connections of its own, until the signal comes and what is under way is done. */
export async function runWorker(settings: WorkerSettings, around: Around): Promise<void> {
  const { log, signal } = around
  const open = (options: Pick<DatabaseOptions, 'poolSize' | 'forQueues'>) =>
    openDatabases({
      url: settings.databaseUrl,
      onError: (home, reason) => log.warn({ home, reason }, 'an idle database connection was lost'),
      ...options,
    })
  const databases = await open({ poolSize: settings.poolSize })
  const queues = await open({ poolSize: QUEUE_POOL_SIZE, forQueues: true })
  const mailer = settings.mail === null ? null : openMailer(settings.mail, settings.mailBrand)
  try {
    const engines = deliveryEngines(settings, { ...around, databases: queues })
    const keys = keyring(settings.secret, settings.previousSecrets)
    const invites = { links: pageLinks(keys('hosted-links')), brand: settings.platformName }
    const referrals = releaseSettings(settings, log)
    const all = jobs({ databases, queues, kick: engines.kick, mailer, invites, referrals, log })
    around.onStarted({
      wake() {
        for (const { bell } of all) bell?.ring()
        for (const world of WORLDS) engines.kick(world)
      },
    })
    await Promise.all([engines.run(signal), ...all.map((job) => runJob(job, around))])
  } finally {
    mailer?.close()
    await Promise.all([databases.close(), queues.close()])
  }
}

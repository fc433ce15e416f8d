import { once } from 'node:events'
import { systemClock } from '#kernel/clock.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { mailTokens, openMailer } from '#mail/index.ts'
import { notifyTeam } from '#notices/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { pageLinks } from '#system/crypto/page-link.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { runJob } from '#system/job-loop.ts'
import { JobRuns } from '#system/job-run-store.ts'
import type { Log } from '#system/log.ts'
import type { Metrics } from '#system/metrics.ts'
import { outboundSender } from '#system/outbound/sender.ts'
import type { Databases } from '#system/postgres/database.ts'
import { type DatabaseOptions, openDatabases } from '#system/postgres/open.ts'
import { traced } from '#system/postgres/traced.ts'
import { listenForWork, type WorkListener } from '#system/postgres/work-channel.ts'
import type { Tracing } from '#system/tracing.ts'
import { deliveryEngine, disableGone, ENGINE_DEFAULTS, signatureHeaderOf } from '#webhooks/index.ts'
import { jobs } from './jobs.ts'
import { releaseSettings, tracingOf, webhookAddressPolicy } from './module-settings.ts'
import type { WorkerSettings } from './worker-host.ts'

/**
 * One connection each for fan-out, for stream positions and for ending stopped deliveries, and three for the delivery
 * engine: to read, to record, and to renew leases.
 */
const QUEUE_POOL_SIZE = 6

type Around = {
  readonly log: Log
  readonly metrics: Metrics
  readonly signal: AbortSignal
  /** Gets a function that makes publishing, fan-out, streams and deliveries poll at once. Other jobs keep waiting. */
  readonly onStarted: (started: { wake(): void }) => void
}

/** Runs every job and sends deliveries on its own connections, until the signal aborts and the running work is done. */
export async function runWorker(settings: WorkerSettings, around: Around): Promise<void> {
  const { log, signal } = around
  const open = (options: Pick<DatabaseOptions, 'poolSize' | 'forQueues'>) =>
    openDatabases({
      url: settings.databaseUrl,
      onError: (home, reason) => log.warn({ home, reason }, 'an idle database connection was lost'),
      ...options,
    })
  const tracing = await tracingOf(settings.tracing, around)
  const observed = (opened: Databases) => (tracing === null ? opened : traced(opened))
  const databases = observed(await open({ poolSize: settings.poolSize }))
  const queues = observed(await open({ poolSize: QUEUE_POOL_SIZE, forQueues: true }))
  around.metrics.pools({ jobs: databases, queues })
  const keys = keyring(settings.secret, settings.previousSecrets)
  const mailParts = { brand: settings.mailBrand, tokens: mailTokens(keys('mail-links')) }
  let listener: WorkListener | null = null
  const mailer = settings.mail === null ? null : openMailer(settings.mail, mailParts)
  try {
    const engines = deliveryEngines(settings, { ...around, databases: queues, tracing })
    const invites = { links: pageLinks(keys('hosted-links')), brand: settings.platformName }
    const referrals = releaseSettings(settings, log)
    const runs = new JobRuns()
    const work = jobs({ databases, queues, wakeEngine: engines.wake, mailer, invites, referrals, log, tracing, runs })
    const wake = () => {
      work.wake()
      for (const world of WORLDS) engines.wake(world)
    }
    around.onStarted({ wake })
    listener = listenForWork({ url: settings.databaseUrl, onWork: wake, log })
    await Promise.all([engines.run(signal), ...work.all.map((job) => runJob(job, { ...around, tracing, runs }))])
  } finally {
    mailer?.close()
    await listener?.close()
    await Promise.all([databases.close(), queues.close(), tracing?.close()])
  }
}

type DeliveryEngines = {
  /** Runs until the signal, then finishes the running work. */
  run(signal: AbortSignal): Promise<void>
  wake(world: World): void
}

type EngineParts = {
  readonly databases: Databases
  readonly log: Log
  readonly metrics: Metrics
  readonly tracing: Tracing | null
}

/** One engine for each world, each with its own sender, because the two worlds may send to different addresses. */
function deliveryEngines(settings: WorkerSettings, { databases, log, metrics, tracing }: EngineParts): DeliveryEngines {
  const secrets = sealedBox(keyring(settings.secret, settings.previousSecrets)('webhook-secrets'))
  const addressPolicy = webhookAddressPolicy(settings.loopbackWebhooks, () => settings.ownOrigins)
  const senders = {
    test: outboundSender({ addressPolicy: addressPolicy.test }),
    live: outboundSender({ addressPolicy: addressPolicy.live }),
  }
  const engineOf = (world: World) =>
    deliveryEngine({
      ...{ db: databases[world], sender: senders[world], secrets, log, metrics },
      ...{ clock: systemClock, random: Math.random, settings: ENGINE_DEFAULTS },
      signatureHeader: signatureHeaderOf(settings.brand),
      tracing,
      sendsTrace: settings.traceWebhooks,
      onGone: (endpoint) => databases[world].transaction((tx) => disableGone(tx, endpoint, notifyTeam)),
    })
  const engines = { test: engineOf('test'), live: engineOf('live') }
  return {
    async run(signal) {
      for (const world of WORLDS) engines[world].start()
      if (!signal.aborted) await once(signal, 'abort')
      await Promise.all(WORLDS.map((world) => engines[world].stop()))
      await Promise.all(WORLDS.map((world) => senders[world].close()))
    },
    wake: (world) => engines[world].wake(),
  }
}

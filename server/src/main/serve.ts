import { offerFirstAdministrator } from '#access/accounts/index.ts'
import { type FactRules, factRules } from '#intake/facts/index.ts'
import { systemClock } from '#kernel/clock.ts'
import type { Log } from '#system/log.ts'
import type { Databases } from '#system/postgres/database.ts'
import { announceWork } from '#system/postgres/work-channel.ts'
import type { Role } from './command-line.ts'
import type { Config } from './config.ts'
import { mailBrand, mailSettings, tracingSettings } from './config.ts'
import type { DatabaseServer } from './database-server.ts'
import { makeDemo, type PlannedDemo, peopleOf, waitUntilPublished, wantsDemo, writeDemoFile } from './demo.ts'
import { allowsLoopback, configuredOrigins, happeningSettings } from './module-settings.ts'
import type { ServedApi } from './serve-api.ts'
import type { StartSteps } from './start-steps.ts'
import { hostWorkers, type WorkerHost, wakingWorkers } from './worker-host.ts'

type Parts = {
  readonly config: Config
  readonly role: Role
  readonly server: DatabaseServer
  readonly databases: Databases
  readonly migrationsKnown: number
  readonly plan: PlannedDemo | null
  readonly log: Log
  readonly signal: AbortSignal | undefined
  readonly steps: StartSteps
}

/** Runs the service on a migrated database: the workers, the demo and the HTTP server. */
export async function serve(parts: Parts) {
  const { config, role, server, databases, log, signal, steps } = parts
  await using opened = new AsyncDisposableStack()
  const rules = factRules(happeningSettings(config, server.secret))

  // The workers start before the demo is created, so that their thread loads its modules meanwhile.
  const workers = role === 'api' ? null : hostWorkers(workerSettings(config, server), { log, clock: systemClock })
  if (workers !== null) opened.defer(() => workers.stop())
  const waking = wakingWorkers(databases, { wake: () => wakeWorkers(workers, databases), clock: systemClock })
  // The demo's commits wake the workers too, so that they publish while the rest of the demo is created.
  const demo = wantsDemo(config) ? await makeDemo({ ...parts, databases: waking }, rules) : null
  workers?.wake()
  signal?.throwIfAborted()

  const api = await steps.run({
    name: 'service',
    doing: 'composing the service',
    work: async () => {
      if (config.apiProcesses === 1 || role === 'worker') return serveHere(parts, { databases: waking, workers, rules })
      const { serveApiInProcesses } = await import('./api-processes.ts')
      const start = { role, databaseUrl: server.url, secret: server.secret, migrationsKnown: parts.migrationsKnown }
      return serveApiInProcesses({ config, start, workers, log })
    },
    outcome: (listening) => ({ text: `listening on ${listening.address}` }),
  })
  // If several processes answer requests, the workers stop at the same time as these processes. Then stopping all of
  // them takes no longer than stopping one.
  opened.defer(async () => void (await Promise.all([api.close(), config.apiProcesses === 1 ? null : workers?.stop()])))
  signal?.throwIfAborted()

  const { address } = api
  const file = demo === null ? null : await writeDemoFile(parts, demo, address)
  if (file !== null) {
    api.showDemo(file)
    if (workers !== null) await waitUntilPublished(parts, workers)
  }

  const origin = config.baseUrl ?? address
  const firstAdmin =
    demo === null && role !== 'worker' ? await offerFirstAdministrator(databases.platform, origin) : null
  const running = opened.move()
  return {
    address,
    firstAdmin,
    demoPeople: file && peopleOf(file),
    prepare: api.prepare,
    stop: () => running.disposeAsync(),
  }
}

/** Wakes the workers of this process, or those of other processes if this process has none. */
function wakeWorkers(workers: WorkerHost | null, { platform }: Databases): void {
  if (workers === null) announceWork(platform)
  else workers.wake()
}

type Here = { readonly databases: Databases; readonly workers: WorkerHost | null; readonly rules: FactRules }

async function serveHere(
  { config, role, server, migrationsKnown, log, signal }: Parts,
  here: Here,
): Promise<ServedApi> {
  const { serveApi } = await import('./serve-api.ts')
  const { workers } = here
  return serveApi({
    ...here,
    ...{ config, role, migrationsKnown, log, signal },
    secret: server.secret,
    databaseUrl: server.url,
    otherMetrics: async () => {
      const snapshot = (await workers?.snapshot()) ?? null
      return snapshot === null ? [] : [snapshot]
    },
  })
}

function workerSettings(config: Config, { url, secret }: DatabaseServer) {
  const { poolSize, logLevel, logFormat, previousSecrets, brand, platformName } = config
  return {
    ...{ databaseUrl: url, secret, poolSize, logLevel, logFormat, previousSecrets, brand, platformName },
    loopbackWebhooks: allowsLoopback(config),
    ownOrigins: configuredOrigins(config),
    referralPeopleMin: config.referralPeopleMin,
    mail: mailSettings(config),
    mailBrand: mailBrand(config),
    tracing: tracingSettings(config),
    traceWebhooks: config.traceWebhooks === 'on',
  }
}

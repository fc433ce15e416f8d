import { offerFirstAdministrator } from '#access/accounts/index.ts'
import type { DemoDoor } from '#front/http.ts'
import type { App } from '#http/app.ts'
import { factRules } from '#intake/facts/index.ts'
import { systemClock } from '#kernel/clock.ts'
import type { OpenDemo } from '#pages/reference/page.ts'
import type { Log } from '#system/log.ts'
import type { Databases } from '#system/postgres/database.ts'
import { announceWork } from '#system/postgres/work-channel.ts'
import type { Role } from './command-line.ts'
import { composeApp } from './compose.ts'
import type { Config } from './config.ts'
import { mailBrand, mailSettings } from './config.ts'
import type { DatabaseServer } from './database-server.ts'
import {
  demoDoor,
  makeDemo,
  openDemo,
  type PlannedDemo,
  peopleOf,
  waitUntilPublished,
  wantsDemo,
  writeDemoFile,
} from './demo.ts'
import { allowsLoopback, configuredOrigins, happeningSettings } from './module-settings.ts'
import { firstFreePort } from './port.ts'
import type { StartSteps } from './start-steps.ts'
import { closeWithin, STOP_STEPS_MS } from './within.ts'
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

  // Started before the demo is created, so that the worker thread loads its modules meanwhile.
  const workers = role === 'api' ? null : hostWorkers(workerSettings(config, server), { log, clock: systemClock })
  if (workers !== null) opened.defer(() => workers.stop())
  const waking = wakingWorkers(databases, { wake: () => wakeWorkers(workers, databases), clock: systemClock })
  // The demo's commits wake the workers too, so that they publish while the rest of the demo is created.
  const demo = wantsDemo(config) ? await makeDemo({ ...parts, databases: waking }, rules) : null
  workers?.wake()
  signal?.throwIfAborted()

  let shownDemo: OpenDemo | null = null
  let door: DemoDoor | null = null
  const { app, address } = await steps.run({
    name: 'service',
    doing: 'composing the service',
    work: async () => {
      // Known once the server listens, and read only by requests.
      let listeningOn = ''
      const app = await composeApp({
        config,
        role,
        databases: waking,
        workers,
        rules,
        secret: server.secret,
        origin: () => config.baseUrl ?? listeningOn,
        migrationsKnown: parts.migrationsKnown,
        openDemo: () => shownDemo,
        demoDoor: () => door,
        log,
      })
      opened.defer(() =>
        closeWithin(app, STOP_STEPS_MS, () => log.warn('what the last requests recorded was not written in time')),
      )
      signal?.throwIfAborted()
      const where = { host: config.host, port: config.port, portIsExplicit: config.isExplicit('port') }
      listeningOn = await firstFreePort(where, (candidate) => app.listen(candidate))
      return { app, address: listeningOn }
    },
    outcome: (listening) => ({ text: `listening on ${listening.address}` }),
  })

  const file = demo === null ? null : await writeDemoFile(parts, demo, address)
  if (file !== null) {
    shownDemo = openDemo(file)
    door = demoDoor(file, config)
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
    prepare: () => prepare(app, log),
    stop: () => running.disposeAsync(),
  }
}

/** Wakes the workers of this process, or those of other processes if this one has none. */
function wakeWorkers(workers: WorkerHost | null, { platform }: Databases): void {
  if (workers === null) announceWork(platform)
  else workers.wake()
}

async function prepare(app: App, log: Log): Promise<void> {
  try {
    await app.prepare()
  } catch (error) {
    log.error({ err: error }, 'the schemas of a route cannot be compiled')
  }
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
  }
}

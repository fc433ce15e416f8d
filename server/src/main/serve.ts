import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Demo, DemoFile, DemoPlan } from '#demo/index.ts'
import type { App } from '#http/app.ts'
import type { OpenDemo } from '#http/reference/open-demo.ts'
import { type FactRules, factRules } from '#intake/facts/index.ts'
import { systemClock } from '#kernel/clock.ts'
import { glanceAtLedger } from '#ledger/index.ts'
import type { Log } from '#system/log.ts'
import type { Databases, WorldDatabase } from '#system/postgres/database.ts'
import type { Role } from './arguments.ts'
import { composeApp } from './compose.ts'
import type { Config } from './config.ts'
import type { DatabaseServer } from './database-server.ts'
import { openDemo } from './open-demo.ts'
import { firstFreePort } from './port.ts'
import { happeningSettings } from './referral-parts.ts'
import type { StartSteps } from './start-steps.ts'
import { wakingWorkers } from './waking-workers.ts'
import { allowsLoopback, configuredOrigins } from './webhook-parts.ts'
import { hostWorkers, type WorkerHost } from './worker-host.ts'

type Parts = {
  readonly config: Config
  readonly role: Role
  readonly server: DatabaseServer
  readonly databases: Databases
  readonly migrationsKnown: number
  readonly plan: Planned | null
  readonly log: Log
  readonly signal: AbortSignal | undefined
  readonly steps: StartSteps
}

export type ShownPerson = { readonly email: string; readonly password: string }

/** Requests under way at a stop get this long to finish. */
const FINISH_WITHIN_MS = 10_000

/** The service on a migrated database: its workers, its demo, and a server that listens. */
export async function serve(parts: Parts) {
  const { config, role, server, databases, log, signal, steps } = parts
  await using opened = new AsyncDisposableStack()
  const rules = factRules(happeningSettings(config, server.secret))

  // Before the demo is made: the workers' thread loads its own modules meanwhile.
  const workers = role === 'api' ? null : hostWorkers(workerSettings(config, server), { log, clock: systemClock })
  if (workers !== null) opened.defer(() => workers.stop())
  const demo = wantsDemo(config) ? await makeDemo(parts, rules) : null
  workers?.wake()
  signal?.throwIfAborted()

  let shownDemo: OpenDemo | null = null
  const { app, address } = await steps.run({
    name: 'service',
    doing: 'composing the service',
    work: async () => {
      // Known once we listen, and asked for only when a request comes in.
      let listeningOn = ''
      const app = await composeApp({
        config,
        role,
        databases: workers === null ? databases : wakingWorkers(databases, { ...workers, clock: systemClock }),
        workers,
        rules,
        secret: server.secret,
        origin: () => config.baseUrl ?? listeningOn,
        migrationsKnown: parts.migrationsKnown,
        openDemo: () => shownDemo,
        log,
      })
      opened.defer(() => closeWithin(app, FINISH_WITHIN_MS))
      signal?.throwIfAborted()
      const where = { host: config.host, port: config.port, portIsExplicit: config.isExplicit('port') }
      listeningOn = await firstFreePort(where, (candidate) => app.listen(candidate))
      return { app, address: listeningOn }
    },
    told: (listening) => ({ text: `listening on ${listening.address}` }),
  })

  const file = demo === null ? null : await writeDemoFile(parts, demo, address)
  if (file !== null) {
    shownDemo = openDemo(file)
    if (workers !== null) await waitUntilPublished(parts, workers)
  }

  const running = opened.move()
  return {
    address,
    demoPeople: file && peopleOf(file),
    prepare: () => prepare(app, log),
    stop: () => running.disposeAsync(),
  }
}

/** Most services have no demo world, and do not load what it is made of. */
async function makeDemo({ databases, plan, signal, steps }: Parts, rules: FactRules): Promise<Demo> {
  return steps.run({
    name: 'demo',
    doing: 'making the demo world',
    work: async (show) => {
      const { ensureDemoWorld } = await import('#demo/index.ts')
      return ensureDemoWorld({
        databases,
        rules,
        ...(plan ?? { nowMs: systemClock.now() }),
        onProgress: (share) => {
          signal?.throwIfAborted()
          show(`${Math.floor(share * 100)} %`)
        },
      })
    },
    told: ({ facts }) => (facts === 0 ? null : { text: 'the demo world is made', facts }),
  })
}

function writeDemoFile({ config, steps }: Parts, demo: Demo, address: string): Promise<DemoFile> {
  const { baseUrl, dataDirectory } = config
  return steps.run({
    name: 'demo',
    doing: 'making the demo’s keys and apps',
    work: () => demo.writeFile({ baseUrl: baseUrl ?? address, dataDirectory }),
    told: () => null,
  })
}

type Planned = { readonly nowMs: number; readonly plan: DemoPlan }

/** The demo's facts, where they are going to be applied: made while PostgreSQL is busy with the migrations. */
export async function planIfEmpty(config: Config, { isEmpty }: DatabaseServer): Promise<Planned | null> {
  if (!isEmpty || !wantsDemo(config)) return null
  const { planDemo } = await import('#demo/index.ts')
  const nowMs = systemClock.now()
  return { nowMs, plan: planDemo(nowMs) }
}

const LOOK_EVERY_MS = 20
/** Longer than it ever took. The service runs all the same, and the demo's investments are listed a little later. */
const PUBLISHED_WITHIN_MS = 30_000

/** The service says that it is ready only when `GET /investments` returns all of the demo's investments. */
async function waitUntilPublished({ databases, log, signal, steps }: Parts, workers: WorkerHost): Promise<void> {
  const isPublished = async (db: WorldDatabase) => !(await glanceAtLedger(db)).waiting
  if (await isPublished(databases.test)) return
  const deadline = performance.now() + PUBLISHED_WITHIN_MS
  await steps.run({
    name: 'ledger',
    doing: 'publishing the demo’s investments',
    work: async () => {
      workers.wake()
      while (performance.now() < deadline) {
        if (await isPublished(databases.test)) return true
        await wait(LOOK_EVERY_MS, undefined, { signal })
      }
      log.warn('the demo’s investments are not all published yet; the workers go on with it')
      return false
    },
    told: (published) => (published ? { text: 'the demo’s investments are published' } : null),
  })
}

async function prepare(app: App, log: Log): Promise<void> {
  try {
    await app.prepare()
  } catch (error) {
    log.error({ err: error }, 'the schemas of a route cannot be compiled')
  }
}

function peopleOf({ people }: DemoFile): readonly ShownPerson[] {
  return Object.values(people).map(({ email, password }) => ({ email, password }))
}

function workerSettings(config: Config, { url, secret }: DatabaseServer) {
  const { poolSize, logLevel, logFormat, previousSecrets, brand, platformName } = config
  return {
    ...{ databaseUrl: url, secret, poolSize, logLevel, logFormat, previousSecrets, brand, platformName },
    loopbackWebhooks: allowsLoopback(config),
    ownOrigins: configuredOrigins(config),
    referralPeopleMin: config.referralPeopleMin,
    mailDirectory: mailPlace(config),
  }
}

/** The embedded default puts mail where its data is; elsewhere it is the operator's to say where. */
function mailPlace({ mailDirectory, databaseUrl, dataDirectory }: Config): string | null {
  if (mailDirectory !== null) return resolve(mailDirectory)
  return databaseUrl === null ? resolve(dataDirectory, 'mail') : null
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

/**
 * The embedded default is for trying things out; a database of one's own is filled only when asked to. So is a service
 * that others can reach: the demo's people sign in with passwords that everybody knows.
 */
function wantsDemo({ demo, databaseUrl, host }: Config): boolean {
  return demo === null ? databaseUrl === null && LOOPBACK_HOSTS.has(host) : demo === 'on'
}

async function closeWithin(app: App, limitMs: number): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), limitMs)
  try {
    await app.close()
  } finally {
    clearTimeout(cutOff)
  }
}

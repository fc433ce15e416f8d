import { resolve } from 'node:path'
import type { ensureDemoWorld as EnsureDemoWorld } from '#demo/index.ts'
import type { App } from '#http/app.ts'
import type { OpenDemo } from '#http/reference/open-demo.ts'
import { systemClock } from '#kernel/clock.ts'
import { factRules } from '#modules/facts/index.ts'
import type { Log } from '#system/log.ts'
import { migrate } from '#system/postgres/migrate.ts'
import { readMigrations } from '#system/postgres/migration-files.ts'
import { openDatabases } from '#system/postgres/open.ts'
import type { Arguments } from './arguments.ts'
import { composeApp } from './compose.ts'
import type { Config } from './config.ts'
import { provideDatabaseServer } from './database-server.ts'
import { listen } from './listen.ts'
import { migrationsDirectory } from './migrations-directory.ts'
import { openDemo } from './open-demo.ts'
import { happeningSettings } from './referral-parts.ts'
import { wakingWorkers } from './waking-workers.ts'
import { allowsLoopback, configuredOrigins } from './webhook-parts.ts'
import { within } from './within.ts'
import { hostWorkers } from './worker-host.ts'

export type Running = { readonly address: string; stop(): Promise<void> }

/** Requests under way at a stop get this long to finish. */
const FINISH_WITHIN_MS = 10_000
/** A database that hangs must not hang the stop: connections that do not close in time are left behind. */
const CLOSE_WITHIN_MS = 3_000

type Around = { readonly log: Log; readonly signal?: AbortSignal }

/**
 * From nothing to a listening service. Whatever was opened is closed in reverse: on a failed start, on a signal during
 * the start, and on stop.
 */
export async function start(config: Config, { role, reset }: Arguments, { log, signal }: Around): Promise<Running> {
  await using opened = new AsyncDisposableStack()

  const server = await provideDatabaseServer(config, { reset, log })
  opened.defer(() => server.stop())
  signal?.throwIfAborted()

  const migrations = await readMigrations(migrationsDirectory)
  await migrate({ url: server.url, migrations, log: (message) => log.info(message), signal })
  signal?.throwIfAborted()

  const databases = await openDatabases({
    url: server.url,
    poolSize: config.poolSize,
    onError: (home, reason) => log.warn({ home, reason }, 'an idle database connection was lost'),
  })
  opened.defer(() => within(CLOSE_WITHIN_MS, databases.close(), () => log.warn('the database did not let go in time')))

  const rules = factRules(happeningSettings(config, server.secret))
  const demo = wantsDemo(config) ? await makeDemo({ databases, rules, log, nowMs: systemClock.now() }) : null
  signal?.throwIfAborted()

  const workers = role === 'api' ? null : hostWorkers(workerSettings(config, server), { log, clock: systemClock })
  if (workers !== null) opened.defer(() => workers.stop())

  // Known once we listen, and asked for only when a request comes in.
  let address = ''
  let shownDemo: OpenDemo | null = null
  const app = await composeApp({
    config,
    role,
    databases: workers === null ? databases : wakingWorkers(databases, { ...workers, clock: systemClock }),
    workers,
    rules,
    secret: server.secret,
    origin: () => config.baseUrl ?? address,
    migrationsKnown: migrations.length,
    openDemo: () => shownDemo,
    log,
  })
  opened.defer(() => closeWithin(app, FINISH_WITHIN_MS))
  signal?.throwIfAborted()
  address = await listen(app, { host: config.host, port: config.port, portIsExplicit: config.isExplicit('port') })

  const file = await demo?.writeFile({ baseUrl: config.baseUrl ?? address, dataDirectory: config.dataDirectory })
  if (file !== undefined) shownDemo = openDemo(file)

  const running = opened.move()
  return { address, stop: () => running.disposeAsync() }
}

/** Most services have no demo world, and do not load what it is made of. */
async function makeDemo(parts: Parameters<typeof EnsureDemoWorld>[0]) {
  const { ensureDemoWorld } = await import('#demo/index.ts')
  return ensureDemoWorld(parts)
}

function workerSettings(config: Config, { url, secret }: { readonly url: string; readonly secret: string }) {
  const { poolSize, logLevel, previousSecrets, brand, platformName } = config
  return {
    ...{ databaseUrl: url, secret, poolSize, logLevel, previousSecrets, brand, platformName },
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

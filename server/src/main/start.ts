import type { FastifyInstance } from 'fastify'
import { ensureDemoWorld } from '#demo/index.ts'
import { buildApp } from '#http/app.ts'
import { HTTP_DEFAULTS } from '#http/settings.ts'
import { systemClock } from '#kernel/clock.ts'
import { type FactRules, factRules } from '#modules/facts/index.ts'
import { countMigrations } from '#modules/health/index.ts'
import { authenticateOperator } from '#modules/operator/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import type { Log } from '#system/log.ts'
import { openMetrics, prometheusText } from '#system/metrics.ts'
import type { Databases } from '#system/postgres/database.ts'
import { migrate } from '#system/postgres/migrate.ts'
import { readMigrations } from '#system/postgres/migration-files.ts'
import { openDatabases } from '#system/postgres/open.ts'
import type { Arguments } from './arguments.ts'
import type { Config } from './config.ts'
import { provideDatabaseServer } from './database-server.ts'
import { listen } from './listen.ts'
import { migrationsDirectory } from './migrations-directory.ts'
import { type RouteDeps, routeTable, workerRouteTable } from './routes.ts'
import { within } from './within.ts'
import { hostWorkers, type WorkerHost } from './worker-host.ts'

export type Running = { readonly address: string; stop(): Promise<void> }

/** Requests under way at a stop get this long to finish. */
const FINISH_WITHIN_MS = 10_000
/** A load balancer will not wait longer for readiness, so a database that does not answer by then does not answer. */
const ANSWER_WITHIN_MS = 2_000
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

  // Before any worker runs: one that ends what is past its time would meet sessions whose end has not been told yet.
  const rules = factRules({ reinstatementGraceDays: config.reinstatementGraceDays })
  const demo = wantsDemo(config) ? await ensureDemoWorld({ databases, rules, log, nowMs: systemClock.now() }) : null
  signal?.throwIfAborted()

  const workers =
    role === 'api'
      ? null
      : hostWorkers(
          { databaseUrl: server.url, poolSize: config.poolSize, logLevel: config.logLevel },
          { log, clock: systemClock },
        )
  if (workers !== null) opened.defer(() => workers.stop())

  const app = composeApp({
    config,
    role,
    databases,
    workers,
    rules,
    secret: server.secret,
    migrationsKnown: migrations.length,
    log,
  })
  opened.defer(() => closeWithin(app, FINISH_WITHIN_MS))
  signal?.throwIfAborted()
  const address = await listen(app, { host: config.host, port: config.port, portIsExplicit: config.isExplicit('port') })

  await demo?.writeFile({ baseUrl: config.baseUrl ?? address, dataDirectory: config.dataDirectory })

  const running = opened.move()
  return { address, stop: () => running.disposeAsync() }
}

/** The embedded default is for trying things out; a database of one's own is filled only when asked to. */
function wantsDemo({ demo, databaseUrl }: Config): boolean {
  return demo === null ? databaseUrl === null : demo === 'on'
}

type Parts = {
  readonly config: Config
  readonly role: Arguments['role']
  readonly databases: Databases
  readonly workers: WorkerHost | null
  readonly rules: FactRules
  readonly secret: string
  readonly migrationsKnown: number
  readonly log: Log
}

/** Fills the edge's ports with what was opened. */
function composeApp(parts: Parts): FastifyInstance {
  const { config, role, databases, workers, rules, secret, migrationsKnown, log } = parts
  const metrics = openMetrics('api')
  const keys = keyring(secret, config.previousSecrets)
  const deps: RouteDeps = {
    brand: config.brand,
    facts: rules,
    sandbox: { reinstatementGraceDays: config.reinstatementGraceDays },
    health: {
      facts: async () => ({
        migrationsApplied: await within(ANSWER_WITHIN_MS, countMigrations(databases.platform), () => null).catch(
          () => null,
        ),
        migrationsKnown,
        apiEventLoopMs: metrics.eventLoopWorstMs(),
        worker: workers?.health() ?? null,
      }),
      metrics: async () => {
        const snapshots = await Promise.all([metrics.snapshot(), workers?.snapshot() ?? null])
        return prometheusText(snapshots.filter((snapshot) => snapshot !== null))
      },
    },
  }
  return buildApp({
    routes: role === 'worker' ? workerRouteTable(deps) : routeTable(deps),
    ports: {
      // Apps and their tokens do not exist yet: the host platform's own keys are all there is to look up.
      authenticate: authenticateOperator(databases),
      databases,
      clock: systemClock,
      log,
      metrics: { observe: metrics.request },
      answers: sealedBox(keys('stored-answers')),
    },
    settings: { ...HTTP_DEFAULTS, brand: config.brand, https: config.baseUrl?.startsWith('https:') ?? false },
  })
}

async function closeWithin(app: FastifyInstance, limitMs: number): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), limitMs)
  try {
    await app.close()
  } finally {
    clearTimeout(cutOff)
  }
}

import { setImmediate as turn } from 'node:timers/promises'
import type { Log } from '#system/log.ts'
import { migrate } from '#system/postgres/migrate.ts'
import { readMigrations } from '#system/postgres/migration-files.ts'
import { openDatabases } from '#system/postgres/open.ts'
import type { Arguments } from './command-line.ts'
import type { Config } from './config.ts'
import { type DatabaseServer, migrationsDirectory, provideDatabaseServer } from './database-server.ts'
import type { ShownPerson } from './demo.ts'
import { checkPort } from './port.ts'
import type * as Serve from './serve.ts'
import { type StartSteps, startSteps } from './start-steps.ts'
import { STOP_STEPS_MS, within } from './within.ts'

export type Running = {
  /** The address on which the service listens. */
  readonly address: string
  /** The people to sign in as, if there is a demo. */
  readonly demoPeople: readonly ShownPerson[] | null
  /**
   * The link with which the first administrator makes their account. Null if an account can sign in already, if there
   * is a demo, and in a worker process.
   */
  readonly firstAdmin: { readonly url: string } | null
  /** Does work that was delayed so that the start ends sooner. Never rejects. */
  prepare(): Promise<void>
  stop(): Promise<void>
}

type Around = { readonly log: Log; readonly signal?: AbortSignal; readonly steps?: StartSteps }

/**
 * Starts the service. Everything that was opened is closed in reverse order: when the service stops, when the start fails, and when
 * a signal arrives during the start.
 */
export async function start(config: Config, { role, reset }: Arguments, around: Around): Promise<Running> {
  const { log, signal, steps = startSteps(log, null) } = around
  await using opened = new AsyncDisposableStack()
  await checkPort({ host: config.host, port: config.port, portIsExplicit: config.isExplicit('port') })

  const service = serviceLoader(config)
  const server = await steps.run({
    name: 'PostgreSQL',
    doing: 'starting PostgreSQL',
    work: () => provideDatabaseServer(config, { reset, log, onWaiting: service.begin }),
    outcome: ({ embeddedVersion }) =>
      embeddedVersion === null ? null : { text: `PostgreSQL ${embeddedVersion} is running` },
  })
  opened.defer(() => server.stop())
  signal?.throwIfAborted()

  const migrating = migrateTo(server, { log, steps, ...(signal === undefined ? {} : { signal }) })
  const loading = service.load(server)
  const migrationsKnown = await migrating
  signal?.throwIfAborted()

  const databases = await openDatabases({
    url: server.url,
    poolSize: config.poolSize,
    onError: (home, reason) => log.warn({ home, reason }, 'an idle database connection was lost'),
  })
  opened.defer(() =>
    within(STOP_STEPS_MS.connections, databases.close(), () =>
      log.warn('the database connections did not close in time'),
    ),
  )

  const { serve, plan } = await steps.run({
    name: 'loading',
    doing: 'loading the service',
    work: () => loading,
    outcome: () => null,
  })
  const served = await serve({ config, role, server, databases, migrationsKnown, plan, log, signal, steps })
  opened.defer(() => served.stop())
  signal?.throwIfAborted()

  const running = opened.move()
  return { ...served, stop: () => running.disposeAsync() }
}

/**
 * Loading the service's modules blocks this thread for a second or two, and planning the demo for half a second. Loading starts
 * while PostgreSQL is busy on another core, and is done in parts, so that PostgreSQL's results are read in time.
 */
function serviceLoader(config: Config) {
  let loading: Promise<typeof Serve> | null = null
  const begin = () => {
    loading ??= handled(loadInParts(config))
    return loading
  }
  const load = async (server: DatabaseServer) => {
    const { serve } = await begin()
    await turn()
    const { planDemoIfEmpty } = await import('./demo.ts')
    return { serve, plan: await planDemoIfEmpty(config, server) }
  }
  return { begin, load: (server: DatabaseServer) => handled(load(server)) }
}

async function loadInParts({ apiProcesses }: Config): Promise<typeof Serve> {
  await import('#intake/facts/index.ts')
  await turn()
  // If several processes answer requests, each loads these modules itself.
  if (apiProcesses === 1) await import('./serve-api.ts')
  await turn()
  return import('./serve.ts')
}

/** Marks the promise as handled, so that a failure is thrown only when the caller awaits the promise. */
function handled<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

type Migrating = { readonly log: Log; readonly steps: StartSteps; readonly signal?: AbortSignal }

/** Returns the number of migrations that this code has. */
async function migrateTo({ url }: DatabaseServer, { log, steps, signal }: Migrating): Promise<number> {
  const migrations = await readMigrations(migrationsDirectory)
  await steps.run({
    name: 'migrations',
    doing: 'applying migrations',
    work: (show) =>
      migrate({
        url,
        migrations,
        log: (message) => log.info(message),
        onApply: ({ name, place, of }) => {
          log.debug({ migration: name }, 'applying a migration')
          show(`${place} of ${of}`)
        },
        signal,
      }),
    outcome: ({ applied }) => (applied === 0 ? null : { text: `${applied} migrations applied` }),
  })
  return migrations.length
}

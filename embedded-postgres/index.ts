import { setTimeout as sleep } from 'node:timers/promises'
import { type Binaries, bundledBinaries, makeRunnable } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { openSocketDirectory, type SocketDirectory } from './directories.ts'
import { EmbeddedPostgresError, explain, failure } from './error.ts'
import { type Home, openHome, RELOCATED_DATA } from './home.ts'
import { launch, type Patience, type Plan, type RunningServer, TemporaryObstacle } from './launch.ts'
import { startNewLog } from './layout.ts'
import { takeOverLeftover } from './leftover.ts'
import { acquireLock } from './lock.ts'
import { isRunning, stopServer } from './server-process.ts'
import { connectionUrl } from './settings.ts'

export { type Binaries, binariesOfPackage } from './binaries.ts'
export { emptyDatabase } from './cluster.ts'
export { EmbeddedPostgresError } from './error.ts'
export { connectionUrlOfRunning } from './running.ts'

export type EmbeddedPostgres = {
  /** A connection string for `pg` or libpq, including the password. */
  readonly url: string
  /** For example '18.4'. */
  readonly version: string
  /** True if an earlier run left this server running, for example because the Node process of that run was killed. */
  readonly adopted: boolean
  /** True if this start created the files of the server. */
  readonly isNew: boolean
  /** False once the server has ended, for any reason. */
  isRunning(): boolean
  /** Ends all sessions, stops the server, and resolves when it has stopped. The caller may call it more than once. */
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  /** The directory of all files. The start creates it if it does not exist. */
  readonly dataDirectory: string
  /** The start creates this database if it does not exist. */
  readonly database: string
  readonly log: (message: string) => void
  /** Default: the PostgreSQL that npm installed. */
  readonly binaries?: Binaries
  /** False is faster, but data may be lost when the server or the machine crashes. Use it for tests. Default: true. */
  readonly durable?: boolean
  /**
   * PostgreSQL settings in addition to our own. A setting replaces ours of the same name, unless it decides where the
   * server listens.
   */
  readonly settings?: Readonly<Record<string, string>>
  /** Default: a unix socket, to which no other user of the machine can connect. */
  readonly listen?: 'socket' | 'tcp'
  /** The preferred TCP port. If it is left out or in use, the server gets any free port. */
  readonly port?: number
  /**
   * If Node runs as root, another user runs PostgreSQL. If that user cannot enter `dataDirectory`, the data is stored
   * below this directory. Default: /var/lib/portico.
   */
  readonly relocateTo?: string
  readonly patience?: Partial<Patience>
  /**
   * Called when this code begins to wait for initdb or for a new server, so that the caller can do other work
   * meanwhile.
   */
  readonly onWaiting?: () => void
}

const PATIENCE: Patience = { readyMs: 60_000, answerMs: 5_000, fastStopMs: 60_000, immediateStopMs: 10_000 }

/** How long a temporary obstacle may prevent the start of a server. */
const OBSTACLE_TIMEOUT_MS = 15_000

/**
 * Starts the PostgreSQL of this data directory, or takes over the server that an earlier run left running. At most one Node
 * process uses a data directory at a time. If that process is killed, its server keeps running.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(options.database)) {
    throw new EmbeddedPostgresError(
      `Not a name for a database: ${options.database}. Use 1 to 63 characters of a-z, 0-9 and _, not a digit first.`,
    )
  }
  try {
    const home = await openHome(options.dataDirectory, options.relocateTo ?? RELOCATED_DATA, options.log)
    const lock = acquireLock(home.layout.lock)
    try {
      return await startIn(home, options, () => lock.release())
    } catch (error) {
      lock.release()
      throw error
    }
  } catch (error) {
    throw explain(error, options.dataDirectory)
  }
}

async function startIn(
  home: Home,
  options: EmbeddedPostgresOptions,
  releaseLock: () => void,
): Promise<EmbeddedPostgres> {
  const { layout, runAs } = home
  const { database, durable = true, settings = {}, log, onWaiting = () => {} } = options
  const patience = { ...PATIENCE, ...options.patience }
  const binaries = await makeRunnable(options.binaries ?? bundledBinaries(), layout, runAs, log)
  const { password, isNew } = await ensureCluster({ layout, runAs, binaries, durable, onWaiting })
  const socket = options.listen === 'tcp' ? undefined : await openSocketDirectory(layout, runAs)
  const listen = listenOptions(socket, options.port)
  const plan = { ...home, binaries, password, database, durable, settings, listen, patience, log, onWaiting }
  const server = await runServer(plan)

  const stop = async () => {
    await stopServer(server.process, patience, log)
    await socket?.close()
    releaseLock()
  }
  let stopping: Promise<void> | undefined
  return {
    url: connectionUrl(server.endpoint, password, database),
    version: server.version,
    adopted: server.adopted,
    isNew,
    isRunning: () => isRunning(server.process),
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

function listenOptions(socket: SocketDirectory | undefined, port = 0): Plan['listen'] {
  return socket ? { kind: 'socket', directory: socket.path } : { kind: 'tcp', preferredPort: port }
}

async function runServer(plan: Plan): Promise<RunningServer> {
  const deadline = performance.now() + OBSTACLE_TIMEOUT_MS
  for (let attempt = 1; ; attempt += 1) {
    const leftover = await takeOverLeftover(plan)
    if (leftover) return leftover
    try {
      if (attempt === 1) await startNewLog(plan.layout)
      return await launch(plan)
    } catch (error) {
      if (!(error instanceof TemporaryObstacle)) throw error
      if (performance.now() > deadline) throw failure(`PostgreSQL cannot start on ${plan.layout.home}`, error.message)
      await sleep(100)
    }
  }
}

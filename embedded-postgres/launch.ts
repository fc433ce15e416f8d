import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { RunnableBinaries } from './binaries.ts'
import { EmbeddedPostgresError, errorCode, failure, messageOf, WAY_OUT } from './error.ts'
import { endOfLog, type Layout, openLog } from './layout.ts'
import { CHILD_ENVIRONMENT, identityOptions, type RunAs } from './run.ts'
import { identityOf, type ProcessIdentity, type StopPatience, stopServer } from './server-process.ts'
import { connectionUrl, type Endpoint, freePort, SOCKET_PORT, serverArguments } from './settings.ts'

/** The server ended because of an obstacle that may disappear soon, so the caller tries again. */
export class TemporaryObstacle extends Error {
  override readonly name = 'TemporaryObstacle'
}

/**
 * Messages of PostgreSQL. The first: backends of a killed server still run. The second: another server runs on this
 * directory, and the Node.js process that started it was killed. The third: another program took the port after we had checked it.
 */
const OBSTACLE_MESSAGES =
  /pre-existing shared memory block|lock file "postmaster.pid" already exists|could not create any TCP\/IP sockets/

/** Starts a server and waits until it responds. */
export async function launch(plan: Plan): Promise<RunningServer> {
  const { layout, patience } = plan
  const endpoint = await chooseEndpoint(plan.listen)
  const { child, logStart } = await spawnServer(plan, endpoint)
  plan.onWaiting()
  const server = identityOf(child.pid ?? 0)
  const target = { ...plan, endpoint }
  const info = await waitUntilReady(target, patience.readyMs, () => hasEnded(child)).catch(async (error) => {
    await stopServer(server, patience, plan.log)
    throw error
  })
  if (info) return { process: server, endpoint, version: info.version, adopted: false }
  const logText = await endOfLog(layout, logStart)
  if (hasEnded(child)) {
    if (OBSTACLE_MESSAGES.test(logText)) throw new TemporaryObstacle(logText)
    throw failure(`PostgreSQL did not start on ${layout.cluster}. Its log says`, logText)
  }
  // We leave the server running. Stopping it would discard the recovery so far, and the next start would take as long again.
  throw new EmbeddedPostgresError(
    `PostgreSQL on ${layout.cluster} (pid ${child.pid}) is not ready after ${patience.readyMs} ms, perhaps because it ` +
      `is recovering from a crash. It was left running: start again in a while. Its log says: ${logText}`,
  )
}

/**
 * The server runs in its own session and writes its output to a file. So neither Ctrl-C in our terminal nor the end of our
 * process stops the server, and the next start takes it over.
 */
async function spawnServer(plan: Plan, endpoint: Endpoint): Promise<{ child: ChildProcess; logStart: number }> {
  const { layout, binaries, runAs, durable, settings } = plan
  const args = serverArguments({ cluster: layout.cluster, endpoint, durable, settings })
  await using log = await openLog(layout)
  const { size: logStart } = await log.stat()
  try {
    const child = spawn(binaries.postgres, args, {
      cwd: '/',
      detached: true,
      env: CHILD_ENVIRONMENT,
      stdio: ['ignore', log.fd, log.fd],
      ...identityOptions(runAs),
    })
    await once(child, 'spawn')
    child.unref()
    return { child, logStart }
  } catch (error) {
    throw failure(`PostgreSQL could not be started from ${binaries.postgres}`, messageOf(error), error)
  }
}

async function chooseEndpoint(listen: Listen): Promise<Endpoint> {
  if (listen.kind === 'socket') return { ...listen, port: SOCKET_PORT }
  return { kind: 'tcp', port: await freePort(listen.preferredPort) }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

type ServerInfo = { readonly version: string; readonly dataDirectory: string }

type Target = {
  readonly endpoint: Endpoint
  readonly password: string
  readonly database: string
}

/**
 * Errors after which a later attempt may succeed, for example while the server starts. A standby returns 40001 when its recovery
 * conflicts with the readiness query. Every other code is permanent, except `DATABASE_MISSING`.
 */
const NOT_YET = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAGAIN', '57P03', '57P01', '53300', '40001'])

const DATABASE_MISSING = '3D000'
const PAUSE_MIN_MS = 10
const PAUSE_MAX_MS = 200

/**
 * Tries to connect until the server responds, and returns its version and data directory. Returns undefined after `patienceMs`,
 * or when `hasEnded` returns true. Creates the database if it is missing.
 */
export async function waitUntilReady(
  target: Target,
  patienceMs: number,
  hasEnded: () => boolean,
): Promise<ServerInfo | undefined> {
  const deadline = performance.now() + patienceMs
  for (let pauseMs = PAUSE_MIN_MS; ; pauseMs = Math.min(pauseMs * 1.5, PAUSE_MAX_MS)) {
    const leftMs = deadline - performance.now()
    if (leftMs <= 0 || hasEnded()) return undefined
    const info = await tryToConnect(target, leftMs)
    if (info) return info
    await sleep(Math.min(pauseMs, leftMs))
  }
}

async function tryToConnect(target: Target, timeoutMs: number): Promise<ServerInfo | undefined> {
  try {
    return await readInfo(target, timeoutMs)
  } catch (error) {
    const code = errorCode(error)
    if (code === DATABASE_MISSING) {
      await createDatabase(target, timeoutMs)
      return await readInfo(target, timeoutMs)
    }
    // An error has no code if the connection was cut or timed out, as during a start or stop.
    if (code === undefined || NOT_YET.has(code)) return undefined
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL rejected the connection: ${messageOf(error)} (${code}). If its password or its pg_hba.conf was ` +
        `changed by hand, undo that, ${WAY_OUT}.`,
      { cause: error },
    )
  }
}

async function readInfo(target: Target, timeoutMs: number): Promise<ServerInfo> {
  return await withClient(target, timeoutMs, async (client) => {
    const { rows } = await client.query<ServerInfo>(
      `select split_part(current_setting('server_version'), ' ', 1) as version,
              current_setting('data_directory') as "dataDirectory"`,
    )
    const [info] = rows
    if (info === undefined) throw new Error('no response')
    return info
  })
}

async function createDatabase(target: Target, timeoutMs: number): Promise<void> {
  const maintenance = { ...target, database: 'postgres' }
  await withClient(maintenance, timeoutMs, async (client) => {
    await client.query(`create database ${client.escapeIdentifier(target.database)}`)
  })
}

async function withClient<T>(target: Target, timeoutMs: number, use: (client: pg.Client) => Promise<T>) {
  const { endpoint, password, database } = target
  const client = new pg.Client({
    connectionString: connectionUrl(endpoint, password, database),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  // An idle connection reports here that the server stops. Without a listener the error would end this process.
  client.on('error', () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Where the server should listen. The TCP port is only a preference: if another program uses it, the server gets another port. */
type Listen =
  | { readonly kind: 'socket'; readonly directory: string }
  | { readonly kind: 'tcp'; readonly preferredPort: number }

export type Patience = StopPatience & {
  /** How long a server may take to start, which includes recovery from a crash. */
  readonly readyMs: number
  /** How long a running server may take to respond if its postmaster.pid says that it is ready. */
  readonly answerMs: number
}

/** Everything that is needed to start a server or to take one over. */
export type Plan = {
  readonly layout: Layout
  readonly runAs: RunAs
  readonly binaries: RunnableBinaries
  readonly password: string
  readonly database: string
  readonly durable: boolean
  readonly settings: Readonly<Record<string, string>>
  readonly listen: Listen
  readonly patience: Patience
  readonly log: (message: string) => void
  readonly onWaiting: () => void
}

export type RunningServer = {
  readonly process: ProcessIdentity
  readonly endpoint: Endpoint
  readonly version: string
  readonly adopted: boolean
}

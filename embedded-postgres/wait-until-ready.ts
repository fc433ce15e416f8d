import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { EmbeddedPostgresError, errorCode, messageOf, WAY_OUT } from './error.ts'
import { connectionUrl, type Endpoint } from './settings.ts'

export type ServerInfo = { readonly version: string; readonly dataDirectory: string }

export type Target = {
  readonly endpoint: Endpoint
  readonly password: string
  readonly database: string
}

/**
 * Errors after which a later attempt may succeed, for example while the server starts. A standby returns 40001 when its recovery
 * conflicts with the readiness query. All other errors are permanent.
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

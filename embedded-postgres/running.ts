import { readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { EmbeddedPostgresError, errorCode } from './error.ts'
import { RELOCATED_DATA, readPointer } from './home.ts'
import { type Layout, layoutOf, readPassword } from './layout.ts'
import { parseHolder } from './lock.ts'
import { isPostmasterOf, isRunning, type ProcessIdentity, parsePostmasterPid } from './server-process.ts'
import { connectionUrl, type Endpoint } from './settings.ts'

type Options = {
  readonly dataDirectory: string
  readonly database: string
  /** Where root stores the data if the unprivileged user cannot enter the data directory. Default: /var/lib/portico. */
  readonly relocateTo?: string
  /** How long the other process may take to start its server. */
  readonly patienceMs?: number
}

/**
 * Returns the connection URL of the server that another Portico process runs on this data directory. Commands use it while the
 * service runs. Returns undefined if no process uses the directory: the caller may then start its own server.
 */
export async function connectionUrlOfRunning(options: Options): Promise<string | undefined> {
  const { dataDirectory, database, relocateTo = RELOCATED_DATA, patienceMs = 60_000 } = options
  const layout = await findHome(dataDirectory, relocateTo)
  const holder = layout && (await holderOf(layout))
  if (layout === undefined || holder === undefined) return undefined
  const deadline = performance.now() + patienceMs
  // The other process takes the lock before its server listens.
  for (; isRunning(holder); await sleep(50)) {
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) throw notReady(holder, dataDirectory, patienceMs)
    const endpoint = await endpointOf(layout)
    if (endpoint === undefined) continue
    const url = connectionUrl(endpoint, await readPassword(layout), database)
    if (await responds(url, layout, leftMs)) return url
  }
  return undefined
}

async function findHome(wanted: string, relocateTo: string): Promise<Layout | undefined> {
  const directory = await undefinedIfMissing(realpath(wanted))
  if (directory === undefined) return undefined
  const elsewhere = await readPointer(directory)
  // Another user may have written the pointer file, so it may only name a directory in `relocateTo`.
  return layoutOf(elsewhere !== undefined && dirname(elsewhere) === relocateTo ? elsewhere : directory)
}

async function holderOf({ lock }: Layout): Promise<ProcessIdentity | undefined> {
  const text = await undefinedIfMissing(readFile(lock, 'utf8'))
  const holder = text === undefined ? 'unreadable' : parseHolder(text)
  return holder !== 'unreadable' && isRunning(holder) ? holder : undefined
}

async function endpointOf({ cluster }: Layout): Promise<Endpoint | undefined> {
  const text = await undefinedIfMissing(readFile(join(cluster, 'postmaster.pid'), 'utf8'))
  const file = parsePostmasterPid(text ?? '')
  return file?.status === 'ready' && isPostmasterOf(file.pid, cluster) ? file.endpoint : undefined
}

/**
 * Whether the server responds and belongs to this cluster. This function does not create the database: the process
 * that started the server does that, and one of two processes that create the database at the same time would fail.
 */
async function responds(url: string, { cluster }: Layout, timeoutMs: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ at: string }>(`select current_setting('data_directory') as at`)
    return rows[0]?.at === cluster
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function undefinedIfMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function notReady({ pid }: ProcessIdentity, directory: string, patienceMs: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Process ${pid} uses ${directory}, but its PostgreSQL does not respond after ${patienceMs} ms. Try again in a while.`,
  )
}

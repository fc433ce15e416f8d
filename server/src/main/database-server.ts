import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '#system/log.ts'
import { type Config, ConfigError } from './config.ts'
import { type EmbeddedPostgres, loadEmbeddedPostgres } from './optional-workspaces.ts'

/** The PostgreSQL server with the data (the operator's server or the embedded server), and the sealing secret. */
export type DatabaseServer = {
  readonly url: string
  readonly secret: string
  /** The version of the embedded PostgreSQL, such as '18.4'. Null for the operator's PostgreSQL. */
  readonly embeddedVersion: string | null
  /** True for a new embedded database and after --reset. An operator's database is never assumed to be empty. */
  readonly isEmpty: boolean
  stop(): Promise<void>
}

export const DATABASE_NAME = 'portico'

export async function provideDatabaseServer(
  config: Config,
  options: { readonly reset: boolean; readonly log: Log; readonly onWaiting?: () => void },
): Promise<DatabaseServer> {
  if (config.databaseUrl !== null && config.secret !== null) {
    if (options.reset) throw new ConfigError('--reset is for the embedded database only, and DATABASE_URL is set.')
    return {
      url: config.databaseUrl,
      secret: config.secret,
      embeddedVersion: null,
      isEmpty: false,
      stop: async () => {},
    }
  }
  const { emptyDatabase, startEmbeddedPostgres } = await loadEmbeddedPostgres()
  const home = resolve(config.dataDirectory)
  const where = { dataDirectory: join(home, 'postgres'), database: DATABASE_NAME }
  const { log, onWaiting = () => {} } = options
  const launch = () => startEmbeddedPostgres({ ...where, log: (message) => log.info(message), onWaiting })
  const postgres = await keepRunning(launch, log)
  try {
    if (options.reset) await emptyDatabase(postgres.url, DATABASE_NAME)
    // The server is started before the secret is read, because the start creates the directory, and has the better error message if
    // the directory cannot be created.
    const secret = config.secret ?? (await embeddedSecret(home))
    const { url, version, isNew, stop } = postgres
    return { url, secret, embeddedVersion: version, isEmpty: isNew || options.reset, stop }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

const CHECK_EVERY_MS = 1_000

/**
 * This process owns the embedded PostgreSQL. If PostgreSQL is killed (by a person, or because memory ran out), this process
 * starts it again on the same address, and connections are opened again.
 */
async function keepRunning(
  launch: () => Promise<EmbeddedPostgres>,
  log: Log,
): Promise<Pick<EmbeddedPostgres, 'url' | 'version' | 'isNew' | 'stop'>> {
  let server = await launch()
  let stopping = false
  let relaunching: Promise<void> | null = null

  async function relaunch(): Promise<void> {
    log.error('the embedded PostgreSQL ended by itself; starting it again')
    try {
      await server.stop()
      server = await launch()
    } catch (error) {
      log.error({ err: error }, 'the embedded PostgreSQL could not be started again; trying again in a moment')
    } finally {
      relaunching = null
    }
  }

  const watch = setInterval(() => {
    if (!stopping && relaunching === null && !server.isRunning()) relaunching = relaunch()
  }, CHECK_EVERY_MS)
  watch.unref()

  return {
    url: server.url,
    version: server.version,
    isNew: server.isNew,
    async stop() {
      stopping = true
      clearInterval(watch)
      await relaunching
      await server.stop()
    },
  }
}

/**
 * The sealing secret that is used with the embedded database: created on the first start, in a file that only its owner
 * can read.
 */
export async function embeddedSecret(dataDirectory: string): Promise<string> {
  const path = join(dataDirectory, 'secret')
  const existing = await read(path)
  if (existing !== null) return existing
  await mkdir(dataDirectory, { recursive: true })
  // The secret is written to a temporary file, which is then linked to its path. So a kill never leaves half a secret, and two
  // first starts at the same moment get the same secret.
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    await writeFile(draft, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600 })
    await link(draft, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
  const made = await read(path)
  if (made === null) throw new Error(`the sealing secret could not be stored in ${path}`)
  return made
}

async function read(path: string): Promise<string | null> {
  try {
    const secret = (await readFile(path, 'utf8')).trim()
    await chmod(path, 0o600)
    return secret
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

export const migrationsDirectory = fileURLToPath(new URL('../../migrations', import.meta.url))

import { join, resolve } from 'node:path'
import type { Log } from '#system/log.ts'
import { type Config, ConfigError } from './config.ts'
import { emptyDatabase, startEmbeddedPostgres } from './embedded-postgres/index.ts'
import { keepRunning } from './keep-running.ts'
import { embeddedSecret } from './sealing-secret.ts'

/** Where the data lives and the secret that goes with it: a PostgreSQL of the operator's, or one of our own. */
export type DatabaseServer = { readonly url: string; readonly secret: string; stop(): Promise<void> }

export const DATABASE_NAME = 'portico'

export async function provideDatabaseServer(
  config: Config,
  options: { readonly reset: boolean; readonly log: Log },
): Promise<DatabaseServer> {
  if (config.databaseUrl !== null && config.secret !== null) {
    if (options.reset) throw new ConfigError('--reset is for the embedded database only, and DATABASE_URL is set.')
    return { url: config.databaseUrl, secret: config.secret, stop: async () => {} }
  }
  const home = resolve(config.dataDirectory)
  const where = { dataDirectory: join(home, 'postgres'), database: DATABASE_NAME }
  const launch = () => startEmbeddedPostgres({ ...where, log: (message) => options.log.info(message) })
  const postgres = await keepRunning(launch, options.log)
  try {
    if (options.reset) await emptyDatabase(postgres.url, DATABASE_NAME)
    // After the server, which makes the directory and has the better words when that cannot be done.
    const secret = config.secret ?? (await embeddedSecret(home))
    return { url: postgres.url, secret, stop: postgres.stop }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

import { join, resolve } from 'node:path'
import type { Databases } from '#system/postgres/database.ts'
import { migrate } from '#system/postgres/migrate.ts'
import { readMigrations } from '#system/postgres/migration-files.ts'
import { openDatabases } from '#system/postgres/open.ts'
import type { Config } from '../config.ts'
import { DATABASE_NAME } from '../database-server.ts'
import { migrationsDirectory } from '../migrations-directory.ts'
import { loadEmbeddedPostgres } from '../optional-workspaces.ts'

/** Enough for a command, which does one thing at a time. */
const POOL_SIZE = 2

/**
 * The service's database, for a command typed beside it or without it: the one at DATABASE_URL, the embedded one that
 * the service is running at the moment, or the embedded one started for as long as the command takes.
 */
export async function withDatabases<T>(config: Config, work: (databases: Databases) => Promise<T>): Promise<T> {
  await using opened = new AsyncDisposableStack()
  const url = config.databaseUrl ?? (await embeddedUrl(config, opened))
  await migrate({ url, migrations: await readMigrations(migrationsDirectory), log: () => {} })
  const databases = await openDatabases({ url, poolSize: POOL_SIZE, onError: () => {} })
  opened.defer(() => databases.close())
  return await work(databases)
}

async function embeddedUrl(config: Config, opened: AsyncDisposableStack): Promise<string> {
  const where = { dataDirectory: join(resolve(config.dataDirectory), 'postgres'), database: DATABASE_NAME }
  const { connectionUrlOfRunning, startEmbeddedPostgres } = await loadEmbeddedPostgres()
  const running = await connectionUrlOfRunning(where)
  if (running !== undefined) return running
  const postgres = await startEmbeddedPostgres({ ...where, log: () => {} })
  opened.defer(() => postgres.stop())
  return postgres.url
}

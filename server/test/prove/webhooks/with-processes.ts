import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@portico/embedded-postgres'
import { migrationsDirectory } from '#main/database-server.ts'
import { migrate } from '#system/postgres/migrate.ts'
import { readMigrations } from '#system/postgres/migration-files.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { ownerPool } from '../owner-pool.ts'
import { workerProcess } from './killable-workers.ts'
import type { Environment } from './stage.ts'

const log = () => {}

/**
 * Opens the environment of the long form. It starts and restarts its own PostgreSQL, and runs and kills workers as
 * processes.
 */
export async function openEnvironment(): Promise<Environment & { close(): Promise<void> }> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'portico-soak-'))
  // If root starts the proof, PostgreSQL runs as an ordinary user, who must be able to enter the directory.
  await chmod(dataDirectory, 0o755)
  // PostgreSQL is durable, because the proof restarts it. The port stays the same after each restart.
  const start = (port: number) =>
    startEmbeddedPostgres({ dataDirectory, database: 'soak', durable: true, listen: 'tcp', port, log })
  let postgres: EmbeddedPostgres = await start(0)
  const { url } = postgres
  const port = Number(new URL(url).port)
  await migrate({ url, migrations: await readMigrations(migrationsDirectory), log })
  const databases = await openDatabases({ url, poolSize: 8, onError: () => {} })
  const owner = ownerPool(url)
  const sealingSecret = randomBytes(32).toString('hex')
  return {
    ...{ databases, sealingSecret },
    sql: async (text, values = []) => (await owner.query(text, [...values])).rows,
    startWorker: async (random) => workerProcess({ url, sealingSecret, seed: random.below(2 ** 32) }),
    restartDatabase: async () => {
      await postgres.stop()
      postgres = await start(port)
      if (postgres.url !== url) throw new Error('PostgreSQL restarted at another address')
    },
    close: async () => {
      await databases.close()
      await owner.end()
      await postgres.stop()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

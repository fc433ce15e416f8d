import { randomBytes } from 'node:crypto'
import { testDatabase } from '#test/database.ts'
import type { Faults } from '../fault-injection.ts'
import { ownerPool } from '../owner-pool.ts'
import { workerInProcess } from './killable-workers.ts'
import type { Environment } from './stage.ts'

/**
 * Opens an environment with its own database on the shared PostgreSQL, and with workers in this process. The short form of
 * the soak uses it, and so does every run of a mutant.
 */
export async function openEnvironment(faults: Faults = {}): Promise<Environment & { close(): Promise<void> }> {
  const db = await testDatabase()
  const owner = ownerPool(db.url)
  const sealingSecret = randomBytes(32).toString('hex')
  const sql: Environment['sql'] = async (text, values = []) => (await owner.query(text, [...values])).rows
  const terminate = async (pid: number) => void (await sql('select pg_terminate_backend($1)', [pid]))
  return {
    ...{ databases: db.databases, sql, sealingSecret, restartDatabase: null },
    startWorker: (random) => workerInProcess({ url: db.url, sealingSecret, random, faults, terminate }),
    close: async () => {
      await owner.end()
      await db.close()
    },
  }
}

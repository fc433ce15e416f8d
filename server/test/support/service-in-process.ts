import { randomBytes } from 'node:crypto'
import type { World } from '#kernel/world.ts'
import { composeApp } from '#main/compose.ts'
import { parseConfig } from '#main/config.ts'
import { factRules } from '#modules/facts/index.ts'
import { createOperatorKey } from '#modules/operator/index.ts'
import { openLog } from '#system/log.ts'
import { type TestDatabase, testDatabase } from './database.ts'

/** The whole service as `main` composes it, in this process: a free port, a database of its own, every default. */
export type ServiceInProcess = {
  readonly db: TestDatabase
  readonly url: string
  /** The host platform's key of each world. */
  readonly operatorKeys: Readonly<Record<World, string>>
  /** The sealing secret, for whoever plays another process of the service. */
  readonly secret: string
  close(): Promise<void>
}

export async function serviceInProcess(): Promise<ServiceInProcess> {
  const db = await testDatabase()
  const { databases } = db
  const config = parseConfig({})
  const secret = randomBytes(32).toString('hex')
  let url = ''
  const app = composeApp({
    config,
    role: 'api',
    databases,
    workers: null,
    rules: factRules({ reinstatementGraceDays: config.reinstatementGraceDays }),
    secret,
    origin: () => url,
    migrationsKnown: 0,
    // Nothing in these tests may be a bug of ours: what is logged as one is worth seeing.
    log: openLog('error'),
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
  const keyOf = async (world: World) =>
    (await databases.platform.transaction((tx) => createOperatorKey(tx, { world, name: 'Tests' }, 'tests'))).key
  return {
    db,
    url,
    secret,
    operatorKeys: { test: await keyOf('test'), live: await keyOf('live') },
    close: async () => {
      const closed = app.close()
      app.server.closeAllConnections()
      await closed
      await db.close()
    },
  }
}

import { randomBytes } from 'node:crypto'
import { createOperatorKey } from '#access/operator/index.ts'
import { factRules } from '#intake/facts/index.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { World } from '#kernel/world.ts'
import { composeApp } from '#main/compose.ts'
import { parseConfig } from '#main/config.ts'
import { happeningSettings } from '#main/module-settings.ts'
import { openLog } from '#system/log.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { quickHasher } from './quick-hasher.ts'

/** The whole service as `main` composes it, running in this process, on a free port, with its own database. */
export type ServiceInProcess = {
  readonly db: TestDatabase
  readonly url: string
  /** The host platform's key of each world. */
  readonly operatorKeys: Readonly<Record<World, string>>
  /** The sealing secret, for a test that acts as another process of the service. */
  readonly secret: string
  close(): Promise<void>
}

export type ServiceSettings = {
  /** By default the service has no rate limits, because tests send thousands of requests from one address. */
  readonly environment?: Readonly<Record<string, string>>
  readonly clock?: WallClock
}

export async function serviceInProcess(settings: ServiceSettings = {}): Promise<ServiceInProcess> {
  const { environment = { PORTICO_LIMITS: 'off' }, clock } = settings
  const db = await testDatabase()
  const { databases } = db
  const config = parseConfig(environment)
  const secret = randomBytes(32).toString('hex')
  let url = ''
  const app = await composeApp({
    config,
    role: 'api',
    databases,
    workers: null,
    rules: factRules(happeningSettings(config, secret)),
    secret,
    origin: () => url,
    migrationsKnown: 0,
    // No test with this service may cause an internal error, so logged errors are shown.
    log: openLog('error'),
    hasher: quickHasher,
    ...(clock === undefined ? {} : { clock }),
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
  const keyOf = async (world: World) =>
    (
      await databases.platform.transaction((tx) =>
        createOperatorKey(tx, { world, name: 'Tests', reason: 'A test' }, 'tests'),
      )
    ).key
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

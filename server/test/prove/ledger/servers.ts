import { factRules } from '#intake/facts/index.ts'
import { composeApp } from '#main/compose.ts'
import { parseConfig } from '#main/config.ts'
import { happeningSettings } from '#main/module-settings.ts'
import { openLog } from '#system/log.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { PATIENT } from '#test/patient.ts'
import { type Faults, withFaults } from '../fault-injection.ts'

export type Server = { readonly url: string; kill(): Promise<void> }

export type ServerParts = {
  readonly databaseUrl: string
  /** The secret is the same for all servers, so that each can read the others' cursors. */
  readonly secret: string
  readonly faults: Faults
}

/** Starts the service as `main` composes it, in this process, with its own connections. */
export async function startServer({ databaseUrl, secret, faults }: ServerParts): Promise<Server> {
  const opened = await openDatabases({ url: databaseUrl, poolSize: 3, times: PATIENT, onError: () => {} })
  const config = parseConfig({ PORTICO_LIMITS: 'off' })
  let url = ''
  const app = await composeApp({
    config,
    role: 'api',
    databases: { ...opened, test: withFaults(opened.test, faults) },
    workers: null,
    rules: factRules(happeningSettings(config, secret)),
    secret,
    origin: () => url,
    migrationsKnown: 0,
    log: openLog('fatal'),
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    kill: async () => {
      const closed = app.close()
      // Running requests get no response.
      app.server.closeAllConnections()
      await closed
      await opened.close()
    },
  }
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import type { Service } from '../service.ts'

export type ClientCredentials = { readonly id: string; readonly secret: string }

/** The settings of a server that ours is compared with. */
export type ServerSettings = {
  readonly databaseUrl: string
  readonly poolSize: number
  readonly clients: readonly ClientCredentials[]
  readonly scope: string
  /** Where the server reads a client: in its configuration, or in PostgreSQL again for every token, as our service does. */
  readonly clientsIn: 'configuration' | 'postgres'
  /** Whether each token has its own statement, or one statement stores all tokens that wait. */
  readonly stores: 'one by one' | 'together'
}

const SETTINGS_KEY = 'BENCH_SERVER'

/** Runs the work with a server in a separate process, on the loopback address, and stops the server afterwards. */
export async function withServerProcess<T>(
  script: URL,
  settings: ServerSettings,
  work: (server: Service) => Promise<T>,
): Promise<T> {
  const child = fork(script, {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', [SETTINGS_KEY]: JSON.stringify(settings) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  try {
    const [message] = await Promise.race([once(child, 'message'), exited.then(() => [null])])
    if (message === null) throw new Error(`${script.pathname} ended before it listened`)
    return await work({ address: message.address, pid: child.pid ?? -1 })
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}

type Given = { readonly settings: ServerSettings; readonly pool: pg.Pool; readonly address: string }

/** Called by the script of the other process: sends its address to the parent, and ends when the parent sends SIGTERM. */
export function serveAsProcess(makeListener: (given: Given) => RequestListener): void {
  const settings: ServerSettings = JSON.parse(process.env[SETTINGS_KEY] ?? '')
  const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: settings.poolSize, idleTimeoutMillis: 0 })
  const server = createServer()
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    const address = `http://127.0.0.1:${port}`
    server.on('request', makeListener({ settings, pool, address }))
    process.send?.({ address })
  })
  process.once('SIGTERM', () => process.exit(0))
}

import { createServer } from 'node:net'
import { join } from 'node:path'

export const SUPERUSER = 'portico'

/** Settings for a server that shares a small machine with its application. */
const DEFAULTS = {
  max_connections: '100',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Queues are polled up to ten times a second, and each poll skips the dead rows that vacuum has not removed yet.
  // With the default of a minute, the polls took a tenth of a core after a burst of 300,000 investments.
  autovacuum_naptime: '15s',
  // PostgreSQL logs starts, stops and crashes, but no failed statements: the application gets these errors, their values may be
  // personal data, and the log file of a start must not grow with traffic.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/** Faster settings. If the server is killed, the last transactions may be lost; if the machine crashes, all data may be lost. */
const NOT_DURABLE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

export type ServerOptions = {
  readonly cluster: string
  readonly endpoint: Endpoint
  readonly durable: boolean
  readonly settings: Readonly<Record<string, string>>
}

/**
 * Settings are on the command line instead of in postgresql.conf: PostgreSQL writes its command line to postmaster.opts, so a
 * server left running shows whether it has the current settings. The listen settings are last, so that the caller cannot
 * change them.
 */
export function serverArguments({ cluster, endpoint, durable, settings }: ServerOptions): string[] {
  const all = { ...DEFAULTS, ...(durable ? {} : NOT_DURABLE), ...settings, ...listenSettings(endpoint) }
  return ['-D', cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

function listenSettings(endpoint: Endpoint): Record<string, string> {
  const port = String(endpoint.port)
  if (endpoint.kind === 'tcp') return { listen_addresses: LOOPBACK, unix_socket_directories: '', port }
  return { listen_addresses: '', unix_socket_directories: quoteListEntry(endpoint.directory), port }
}

/** `unix_socket_directories` is a list. Without quotes, a comma in the path would end the entry. */
function quoteListEntry(directory: string): string {
  return `"${directory.replaceAll('"', '""')}"`
}

/** The content of postmaster.opts for a server with these arguments. PostgreSQL quotes without escaping. */
export function postmasterOpts(program: string, args: readonly string[]): string {
  return [program, ...args.map((arg) => `"${arg}"`)].join(' ')
}

/** The server listens on a socket in a private directory or on the loopback address, never on the network. */
export type Endpoint =
  | { readonly kind: 'socket'; readonly directory: string; readonly port: number }
  | { readonly kind: 'tcp'; readonly port: number }

export const LOOPBACK = '127.0.0.1'

/** With a socket, the port is only part of a file name. No other server has its socket in the same directory. */
export const SOCKET_PORT = 5432

export function socketFile(directory: string, port: number): string {
  return join(directory, `.s.PGSQL.${port}`)
}

/**
 * The host of the URL is the socket's directory, percent-encoded. Both `pg` and libpq accept this form. Unlike the `?host=` form,
 * it is a valid URL, and a caller can change its path to name another database.
 */
export function connectionUrl(endpoint: Endpoint, password: string, database: string): string {
  const host = endpoint.kind === 'socket' ? encodeURIComponent(endpoint.directory) : LOOPBACK
  return `postgres://${SUPERUSER}:${encodeURIComponent(password)}@${host}:${endpoint.port}/${database}`
}

/** Returns a port that is free now. Another program may take it a moment later; the caller then tries again. */
export async function freePort(preferred = 0): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => (preferred === 0 ? reject(error) : resolve(freePort())))
    server.listen(preferred, LOOPBACK, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : preferred))
    })
  })
}

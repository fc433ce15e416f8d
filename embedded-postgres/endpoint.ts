import { createServer } from 'node:net'
import { join } from 'node:path'
import { SUPERUSER } from './cluster.ts'

/** Where the server listens: in a private directory, or on the loopback address. Never on the network. */
export type Endpoint =
  | { readonly kind: 'socket'; readonly directory: string; readonly port: number }
  | { readonly kind: 'tcp'; readonly port: number }

export const LOOPBACK = '127.0.0.1'

/** With a socket the port is only part of a file name, in a directory that holds nothing else. */
export const SOCKET_PORT = 5432

export function socketFile(directory: string, port: number): string {
  return join(directory, `.s.PGSQL.${port}`)
}

/**
 * The socket's directory stands where a host would, percent-encoded: both `pg` and libpq read it so, and unlike the
 * `?host=` form it is a valid URL whose path can be changed to name another database.
 */
export function connectionUrl(endpoint: Endpoint, password: string, database: string): string {
  const host = endpoint.kind === 'socket' ? encodeURIComponent(endpoint.directory) : LOOPBACK
  return `postgres://${SUPERUSER}:${encodeURIComponent(password)}@${host}:${endpoint.port}/${database}`
}

/** A port that is free now. It may be gone a moment later: the caller tries again when PostgreSQL says so. */
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

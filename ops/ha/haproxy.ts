import type { Machine, Program } from '../support/machine.ts'

export type ApiServer = { readonly name: string; readonly port: number }
type DatabaseServer = { readonly name: string; readonly port: number; readonly restPort: number }

export type Proxying = {
  /** The port of the API, and the API processes behind it. */
  readonly api: { readonly port: number; readonly servers: readonly ApiServer[] }
  /** The port of PostgreSQL's primary, and the nodes behind it. */
  readonly database?: { readonly port: number; readonly servers: readonly DatabaseServer[] }
}

/** HAProxy in front of the API, and in front of PostgreSQL's primary. docs/operations.md has the same lines with comments. */
export async function startProxy(machine: Machine, { api, database }: Proxying): Promise<Program> {
  const text = [GLOBAL, apiPart(api), database === undefined ? '' : databasePart(database)].join('\n')
  const file = await machine.file('haproxy.cfg', text)
  const command = '/usr/sbin/haproxy'
  await machine.run({ name: 'haproxy-check', command, args: ['-c', '-q', '-f', file] })
  return machine.start({ name: 'haproxy', command, args: ['-db', '-f', file] })
}

const GLOBAL = `
global
  maxconn 2000

defaults
  timeout connect 2s
  timeout check 2s
  timeout client 75s
  timeout server 75s
`

const apiPart = ({ port, servers }: Proxying['api']) => `
listen api
  bind 127.0.0.1:${port}
  mode http
  balance roundrobin
  option httpchk GET /readyz
  option forwardfor
  option redispatch 1
  retries 3
  # A request that reached no server is sent to another server. The caller repeats a request that was cut off.
  retry-on conn-failure
  default-server inter 500ms fastinter 250ms fall 2 rise 1 observe layer4
${servers.map((server) => `  server ${server.name} 127.0.0.1:${server.port} check`).join('\n')}
`

const databasePart = ({ port, servers }: NonNullable<Proxying['database']>) => `
listen postgres
  bind 127.0.0.1:${port}
  mode tcp
  timeout client 1h
  timeout server 1h
  option httpchk OPTIONS /primary
  http-check expect status 200
  # A connection to a node that is no longer the primary is closed, so nothing is read from an old primary.
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map(({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`).join('\n')}
`

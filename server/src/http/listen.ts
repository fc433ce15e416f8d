import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

export type Where = { readonly host: string; readonly port: number }

export type Listening = {
  /** The address for clients. */
  readonly address: string
  /** Accepts no new connections; resolves when the last open connection is closed. */
  close(): Promise<void>
}

/** `localhost` resolves to 127.0.0.1 on some machines, to ::1 on others and to both on most. */
const LOCALHOST = 'localhost'

/**
 * Listens on an address; for `localhost` on both addresses that the name can resolve to. Passkeys need a host name, so people
 * and apps use `localhost`.
 */
export async function listenOn(server: Server, { host, port }: Where): Promise<Listening> {
  if (host === LOCALHOST) return listenOnLocalhost(server, port)
  await bind(server, { host, port })
  return { address: addressOf(server.address() as AddressInfo), close: () => stop(server) }
}

/** How many ports to try: a port that the system chose for IPv4 may be taken for IPv6. */
const CHOICES_MAX = 10

async function listenOnLocalhost(server: Server, port: number): Promise<Listening> {
  for (let choice = 1; ; choice++) {
    await bind(server, { host: '127.0.0.1', port })
    const { port: chosen } = server.address() as AddressInfo
    try {
      const onIpv6 = await listenOnIpv6(server, chosen)
      const close = async () => void (await Promise.all([stop(server), ...(onIpv6 === null ? [] : [stop(onIpv6)])]))
      return { address: `http://${LOCALHOST}:${chosen}`, close }
    } catch (error) {
      await stop(server)
      if (port !== 0 || codeOf(error) !== 'EADDRINUSE' || choice === CHOICES_MAX) throw error
    }
  }
}

/** Errors on a machine without IPv6, where `localhost` is only 127.0.0.1. */
const NO_IPV6: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/**
 * Listens on ::1 and passes the connections to the HTTP server, as Node's documentation of the event `connection` allows. Null
 * on a machine without IPv6.
 */
async function listenOnIpv6(server: Server, port: number): Promise<Server | null> {
  // The same options as those of Node's HTTP server.
  const onIpv6 = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
  onIpv6.maxConnections = server.maxConnections
  try {
    await bind(onIpv6, { host: '::1', port })
    return onIpv6
  } catch (error) {
    if (NO_IPV6.has(codeOf(error))) return null
    throw error
  }
}

async function bind(server: Server, where: Where): Promise<void> {
  server.listen(where)
  await once(server, 'listening')
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  await closed
}

/** The address for clients. A client cannot open a wildcard address, so it gets the loopback address. */
const REACHED_AS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

function addressOf({ address, family, port }: AddressInfo): string {
  return `http://${REACHED_AS[address] ?? (family === 'IPv6' ? `[${address}]` : address)}:${port}`
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

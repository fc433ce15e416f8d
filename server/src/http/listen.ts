import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

export type Where = { readonly host: string; readonly port: number }

export type Listening = {
  /** The address that clients use. */
  readonly address: string
  /** Takes no new connections; resolves when the last one is closed. */
  close(): Promise<void>
}

/** This name leads to 127.0.0.1 on some machines, to ::1 on others and to both on most. */
const LOCALHOST = 'localhost'

/**
 * Listens on an address, or for `localhost` on both addresses of this machine that the name can lead to. Passkeys need a host
 * name, so `localhost` is what people and apps use.
 */
export async function listenOn(server: Server, { host, port }: Where): Promise<Listening> {
  if (host === LOCALHOST) return listenOnLocalhost(server, port)
  await bind(server, { host, port })
  return { address: addressOf(server.address() as AddressInfo), close: () => stop(server) }
}

/** A port that the system chose for IPv4 may be taken for IPv6: another one is tried. */
const CHOICES_MAX = 10

async function listenOnLocalhost(server: Server, port: number): Promise<Listening> {
  for (let choice = 1; ; choice++) {
    await bind(server, { host: '127.0.0.1', port })
    const { port: chosen } = server.address() as AddressInfo
    try {
      const twin = await listenOnIpv6(server, chosen)
      const close = async () => void (await Promise.all([stop(server), ...(twin === null ? [] : [stop(twin)])]))
      return { address: `http://${LOCALHOST}:${chosen}`, close }
    } catch (error) {
      await stop(server)
      if (port !== 0 || codeOf(error) !== 'EADDRINUSE' || choice === CHOICES_MAX) throw error
    }
  }
}

/** A machine without IPv6: there `localhost` is 127.0.0.1. */
const NO_IPV6: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/** Hands its connections to the server, as Node's documentation of the event `connection` allows. */
async function listenOnIpv6(server: Server, port: number): Promise<Server | null> {
  // As Node's HTTP server is made.
  const twin = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
  twin.maxConnections = server.maxConnections
  try {
    await bind(twin, { host: '::1', port })
    return twin
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

/** An address of every interface is no address to go to; this machine's own is one of them. */
const REACHED_AS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

function addressOf({ address, family, port }: AddressInfo): string {
  return `http://${REACHED_AS[address] ?? (family === 'IPv6' ? `[${address}]` : address)}:${port}`
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

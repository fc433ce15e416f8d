import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import type { buildConnector } from 'undici'
import { allowedAddresses } from './allowed-addresses.ts'
import { handshakeFailure, OutboundFailure } from './failure.ts'
import type { Reach } from './reach.ts'
import type { Resolve } from './resolver.ts'

export type ConnectorSettings = {
  readonly reach: Reach
  readonly resolve: Resolve
  readonly secureContext: SecureContext
  /** For everything up to the first byte of the request: name, connection, handshake. */
  readonly connectMs: number
  readonly onOpen: (socket: Socket) => void
}

/** A name with very many addresses is not worth more attempts than this. */
const ATTEMPTS_MAX = 4

/**
 * Opens sockets for undici, to judged addresses only. The system is given the address that was judged, never the name,
 * so nothing can be answered differently between looking and connecting; the name is what the certificate must be for.
 */
export function guardedConnector(settings: ConnectorSettings): buildConnector.connector {
  return (place, callback) => {
    open(place, settings).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    )
  }
}

async function open(place: buildConnector.Options, settings: ConnectorSettings): Promise<Socket> {
  const { hostname, protocol, port } = place
  const untilMs = performance.now() + settings.connectMs
  const addresses = await inTime(allowedAddresses(hostname, settings.reach, settings.resolve), untilMs)
  const secure = protocol === 'https:'
  const plain = await firstThatConnects(addresses, Number(port) || (secure ? 443 : 80), untilMs)
  const socket = secure ? await handshake(plain, hostname, { settings, untilMs }) : plain
  // undici would try a socket that has died meanwhile again and again.
  if (socket.destroyed) throw new OutboundFailure('connection_failed', 'closed as soon as it was open')
  settings.onOpen(socket)
  return socket
}

/** IPv4 before IPv6. What is left of the time is divided among what is left of the addresses. */
async function firstThatConnects(all: readonly string[], port: number, untilMs: number): Promise<Socket> {
  const addresses = all.slice(0, ATTEMPTS_MAX)
  let failure: unknown = new OutboundFailure('connection_failed', 'no address')
  for (const [at, host] of addresses.entries()) {
    const socket = connectTcp({ host, port, noDelay: true, keepAlive: true })
    try {
      const leftMs = untilMs - performance.now()
      return await ready(socket, 'connect', leftMs / (addresses.length - at))
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

type Handshake = { readonly settings: ConnectorSettings; readonly untilMs: number }

function handshake(socket: Socket, host: string, { settings, untilMs }: Handshake): Promise<Socket> {
  const secured = connectTls({
    socket,
    host,
    servername: isIP(host) === 0 ? host : '',
    secureContext: settings.secureContext,
    ALPNProtocols: ['http/1.1'],
    // Said aloud, so that no variable of the environment can switch it off.
    rejectUnauthorized: true,
  })
  // A refusal by the other side may come after the handshake. The socket stays open then, and what undici hears last, and
  // would report, is that the other side has closed it.
  secured.on('error', () => secured.destroy())
  return ready(secured, 'secureConnect', untilMs - performance.now()).catch((error: unknown) => {
    throw error instanceof OutboundFailure ? error : handshakeFailure(error)
  })
}

function ready(socket: Socket, event: 'connect' | 'secureConnect', withinMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(late(event)), Math.max(1, withinMs))
    socket.once(event, () => resolve(socket))
    // These stay: an error that comes before undici listens must not bring down the process.
    socket.on('error', reject)
    socket.once('close', () => reject(new OutboundFailure('connection_failed', `closed before ${event}`)))
    const done = () => clearTimeout(timer)
    socket.once(event, done).once('close', done)
  })
}

function inTime<T>(promise: Promise<T>, untilMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late('the name')), Math.max(1, untilMs - performance.now()))
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function late(what: string): OutboundFailure {
  return new OutboundFailure('timeout', `${what} took too long`)
}

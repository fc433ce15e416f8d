import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import { allowedAddresses } from './allowed-addresses.ts'
import type { Place } from './destinations.ts'
import { handshakeFailure, OutboundFailure } from './failure.ts'
import type { Opening } from './opening.ts'
import type { Reach } from './reach.ts'
import type { Resolve } from './resolver.ts'

export type ConnectorSettings = {
  readonly reach: Reach
  readonly resolve: Resolve
  readonly secureContext: SecureContext
  /** For everything up to the first byte of the request: name, connection, handshake. */
  readonly connectMs: number
}

/** What the socket receives goes straight to `onread`: no stream stands between, and no memory is asked for. */
export type Open = (place: Place, onread: OnReadOpts, opening: Opening) => Promise<Socket>

/** A name with very many addresses is not worth more attempts than this. */
const ATTEMPTS_MAX = 4

/**
 * Opens sockets to judged addresses only. The system is given the address that was judged, never the name, so nothing can
 * be answered differently between looking and connecting; the name is what the certificate must be for.
 */
export function guardedConnector(settings: ConnectorSettings): Open {
  return async (place, onread, opening) => {
    const untilMs = performance.now() + settings.connectMs
    const addresses = await inTime(allowedAddresses(place.host, settings.reach, settings.resolve), untilMs)
    const toAddress = dialler(place, onread, settings.secureContext)
    const dial = (address: string) => opening.begin(() => toAddress(address))
    const socket = await firstThatConnects(addresses, dial, untilMs)
    if (place.secure) await handshake(socket, untilMs)
    if (socket.destroyed) throw new OutboundFailure('connection_failed', 'closed as soon as it was open')
    return socket
  }
}

type Dial = (address: string) => Socket

function dialler({ host, port, secure }: Place, onread: OnReadOpts, secureContext: SecureContext): Dial {
  const common = { port, onread, noDelay: true, keepAlive: true }
  if (!secure) return (address) => connectTcp({ ...common, host: address })
  return (address) =>
    connectTls({
      ...common,
      host: address,
      // Whom the certificate must be for. Where it is left empty, for an address, that is `host`.
      servername: isIP(host) === 0 ? host : '',
      secureContext,
      ALPNProtocols: ['http/1.1'],
      // Said aloud, so that no variable of the environment can switch it off.
      rejectUnauthorized: true,
    })
}

/** IPv4 before IPv6. What is left of the time is divided among what is left of the addresses. */
async function firstThatConnects(all: readonly string[], dial: Dial, untilMs: number): Promise<Socket> {
  const addresses = all.slice(0, ATTEMPTS_MAX)
  let failure: unknown = new OutboundFailure('connection_failed', 'no address')
  for (const [at, address] of addresses.entries()) {
    try {
      const leftMs = untilMs - performance.now()
      return await ready(dial(address), 'connect', leftMs / (addresses.length - at))
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

async function handshake(socket: Socket, untilMs: number): Promise<void> {
  try {
    await ready(socket, 'secureConnect', untilMs - performance.now())
  } catch (error) {
    throw error instanceof OutboundFailure ? error : handshakeFailure(error)
  }
}

function ready(socket: Socket, event: 'connect' | 'secureConnect', withinMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(late(event)), Math.max(1, withinMs))
    socket.once(event, () => resolve(socket))
    // These stay: an error that comes before the connection listens must not bring down the process.
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

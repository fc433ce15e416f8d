import { Resolver } from 'node:dns/promises'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import { type AddressPolicy, isLocalhost, isLoopback, judgeAddress, rangesFor } from './address.ts'
import type { Place } from './judge-url.ts'
import { blocked, handshakeFailure, OutboundFailure } from './outcome.ts'

export type ConnectorSettings = {
  readonly addressPolicy: AddressPolicy
  readonly resolve: Resolve
  readonly secureContext: SecureContext
  /** Limit for everything before the first byte of the request: DNS, connection, TLS handshake. */
  readonly connectMs: number
}

/** Opens the socket of a connection. */
export type Open = (place: Place, opening: Opening) => Promise<Socket>

/** The socket of a connection, from the first attempt on. `stop` closes it in every phase, and no further address is tried. */
export class Opening {
  isStopped = false
  socket: Socket | null = null

  begin(dial: () => Socket): Socket {
    if (this.isStopped) throw new OutboundFailure('connection_failed', 'abandoned while connecting')
    this.socket = dial()
    return this.socket
  }

  stop(): void {
    this.isStopped = true
    this.socket?.destroy()
  }
}

/** The maximum number of addresses to try. */
const ATTEMPTS_MAX = 4

/**
 * Opens sockets to checked addresses only. The system gets the address that was checked, never the name, so a second DNS
 * response cannot lead elsewhere. The certificate must be for the name. undici itself does no DNS, connection or TLS handshake.
 */
export function guardedConnector(settings: ConnectorSettings): Open {
  return async (place, opening) => {
    const untilMs = performance.now() + settings.connectMs
    const addresses = await inTime(allowedAddresses(place.host, settings.addressPolicy, settings.resolve), untilMs)
    const toAddress = dialler(place, settings.secureContext)
    const dial = (address: string) => opening.begin(() => toAddress(address))
    const socket = await firstThatConnects(addresses, dial, untilMs)
    if (place.secure) await handshake(socket, untilMs)
    if (socket.destroyed) throw new OutboundFailure('connection_failed', 'closed as soon as it was open')
    return socket
  }
}

type Dial = (address: string) => Socket

function dialler({ host, port, secure }: Place, secureContext: SecureContext): Dial {
  const common = { port, noDelay: true, keepAlive: true }
  if (!secure) return (address) => connectTcp({ ...common, host: address })
  return (address) =>
    connectTls({
      ...common,
      host: address,
      // The name that the certificate must match. It is empty if the host is an address: then Node checks `host`.
      servername: isIP(host) === 0 ? host : '',
      secureContext,
      ALPNProtocols: ['http/1.1'],
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
      rejectUnauthorized: true,
    })
}

/** Tries the addresses in their order, IPv4 first. The remaining time is divided among the remaining addresses. */
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
  // TLS can fail after the handshake, and Node leaves such a socket open.
  socket.on('error', () => socket.destroy())
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
    // These listeners are never removed: without a listener, an error before undici listens would end the process.
    socket.on('error', reject)
    socket.once('close', () => reject(new OutboundFailure('connection_failed', `closed before ${event}`)))
    const done = () => clearTimeout(timer)
    socket.once(event, done).once('close', done)
  })
}

function inTime<T>(promise: Promise<T>, untilMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late('the DNS query')), Math.max(1, untilMs - performance.now()))
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function late(what: string): OutboundFailure {
  return new OutboundFailure('timeout', `${what} took too long`)
}

const LOCALHOST = ['127.0.0.1', '::1']

/**
 * The addresses to connect to, all checked. If one is not allowed, all are rejected: a name with a public and a private address
 * is either a mistake or an attack. A literal address is checked here too, without relying on a library's hook.
 */
async function allowedAddresses(
  host: string,
  addressPolicy: AddressPolicy,
  resolve: Resolve,
): Promise<readonly string[]> {
  const localhost = isLocalhost(host)
  const ranges = rangesFor(addressPolicy, localhost || isLoopback(host))
  const addresses = localhost ? LOCALHOST : isIP(host) === 0 ? await resolve(host) : [host]
  for (const address of addresses) {
    const verdict = judgeAddress(address, ranges)
    if (!verdict.allowed) throw blocked(`${host} leads to ${address} (${verdict.range})`)
  }
  return addresses
}

/** All addresses of a name, IPv4 first. Throws if there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>

type ResolverSettings = {
  /** Default: the name servers that the machine is configured with. */
  readonly servers?: readonly string[]
  /**
   * The longest time that one query waits for a response. c-ares repeats a query several times, and waits less if the name
   * servers have been fast so far.
   */
  readonly queryMs: number
}

/**
 * After fast responses c-ares waits only a quarter of a second for the next response, and doubles the wait with each try. With
 * fewer tries it would give up on a name that takes a second or two, long before the time limit of a connection.
 */
const TRIES = 4
const OTHER_FAMILY_MS = 1_000

/**
 * Queries the name servers itself. `dns.lookup` would use the thread pool, four threads that also hash passwords, and would read
 * the machine's hosts file with its internal names. Concurrent queries for one name share one query, because a burst of
 * deliveries opens many connections at once.
 */
export function nameResolver({ servers, queryMs }: ResolverSettings): Resolve {
  const resolver = new Resolver({ timeout: queryMs, maxTimeout: queryMs, tries: TRIES })
  if (servers !== undefined) resolver.setServers([...servers])
  const running = new Map<string, Promise<readonly string[]>>()
  return (name) => {
    const shared = running.get(name)
    if (shared !== undefined) return shared
    const query = bothFamilies(resolver, name).finally(() => running.delete(name))
    running.set(name, query)
    return query
  }
}

/**
 * A name may have addresses of one family only, and some name servers fail or do not respond for the other family. So one
 * response is enough, and the other is awaited only for a short time. Addresses that come later are not used, so they need no
 * check.
 */
async function bothFamilies(resolver: Resolver, name: string): Promise<readonly string[]> {
  const four = resolver.resolve4(name)
  const six = resolver.resolve6(name)
  const both = Promise.allSettled([four, six])
  const first = await Promise.any([four, six]).catch(() => four)
  const settled = await atMost(both, OTHER_FAMILY_MS)
  return settled === null ? first : settled.flatMap(addressesOf)
}

function addressesOf(settled: PromiseSettledResult<string[]>): readonly string[] {
  return settled.status === 'fulfilled' ? settled.value : []
}

/** Resolves to null if the promise takes longer. */
function atMost<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

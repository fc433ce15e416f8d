import { constants } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { AddressPolicy } from './address.ts'
import { connections } from './connections.ts'
import { guardedConnector, nameResolver, type Resolve } from './connector.ts'
import { Exchange, type ExchangeOwner, type Waiting } from './exchange.ts'
import { type Destination, destinations } from './judge-url.ts'
import { OUTBOUND_LIMITS, type OutboundLimits } from './limits.ts'
import type { Outcome } from './outcome.ts'

export type OutboundRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string
  /**
   * Abandons the request: the promise is rejected with the signal's reason, and the outcome is unknown. A status that is
   * already known is still the outcome.
   */
  readonly signal?: AbortSignal
}

export type OutboundSender = {
  /**
   * Sends one POST request. Everything that a receiver or the network does is an outcome. The promise is rejected only because of
   * the signal or a bug.
   */
  send(request: OutboundRequest): Promise<Outcome>
  /** Accepts no more requests, and waits for the running ones. */
  close(): Promise<void>
}

export type OutboundSettings = {
  readonly addressPolicy: AddressPolicy
  readonly limits?: Partial<OutboundLimits>
  readonly resolve?: Resolve
  /** Certificate authorities to trust instead of the default ones, as PEM. */
  readonly ca?: readonly string[]
}

const QUERY_MS = 2_000
/**
 * Without this option a receiver could request one handshake after another, and a handshake is the most expensive part
 * of TLS.
 */
const TLS = { secureOptions: constants.SSL_OP_NO_RENEGOTIATION }
/** Headers that define where a request ends and how it is transported: undici sets them, or they are not sent. */
const RESERVED_HEADER = /^(?:host|connection|content-length|transfer-encoding|expect|upgrade|keep-alive|te|trailer)$/i

/**
 * Sends to addresses that partners chose, and never into our own network: the URL is checked when it is first used, the address
 * at every connection. The allowed addresses never change while a sender exists, so a reused connection needs no new check.
 * undici implements HTTP. Redirects are ordinary responses, and no proxy is read from the environment.
 */
export function outboundSender({
  addressPolicy,
  resolve: resolveName,
  ca,
  limits: changed,
}: OutboundSettings): OutboundSender {
  const limits = { ...OUTBOUND_LIMITS, ...changed }
  const open = guardedConnector({
    addressPolicy,
    resolve: resolveName ?? nameResolver({ queryMs: QUERY_MS }),
    secureContext: createSecureContext({ ...TLS, ...(ca === undefined ? {} : { ca: [...ca] }) }),
    connectMs: limits.connectMs,
  })
  const pool = connections({ limits, open })
  const destinationOf = destinations(addressPolicy)
  const running = new Set<Exchange>()
  const signals = new AbortListeners()
  let clock: NodeJS.Timeout | null = null
  const owner: ExchangeOwner = { limits, over }
  let closed = false
  const allEnded = Promise.withResolvers<void>()

  /** One timer checks all deadlines. It runs only while requests are running. */
  function tick(): void {
    const nowMs = performance.now()
    for (const exchange of running) exchange.check(nowMs)
    if (running.size === 0) stopClock()
  }

  function stopClock(): void {
    if (clock !== null) clearInterval(clock)
    clock = null
  }

  function over(exchange: Exchange, reusable: boolean): void {
    running.delete(exchange)
    if (exchange.waiting.signal !== undefined) signals.delete(exchange, exchange.waiting.signal)
    pool.giveBack(exchange.connection, reusable)
    if (closed && running.size === 0) allEnded.resolve()
  }

  function post({ place, path }: Destination, { headers, body }: OutboundRequest, waiting: Waiting): void {
    for (const name in headers) if (RESERVED_HEADER.test(name)) throw new Error(`the header ${name} cannot be set`)
    const exchange = new Exchange(pool.take(place), waiting, owner)
    running.add(exchange)
    if (waiting.signal !== undefined) signals.add(exchange, waiting.signal)
    clock ??= setInterval(tick, limits.tickMs).unref()
    exchange.connection.send({ method: 'POST', path, headers, body }, exchange)
  }

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        if (closed) throw new Error('the sender is closed')
        request.signal?.throwIfAborted()
        const destination = destinationOf(request.url)
        if (destination === null) resolve({ kind: 'failed', why: 'blocked_url', durationMs: 0 })
        else post(destination, request, { signal: request.signal, resolve, reject })
      }),
    async close() {
      closed = true
      pool.close()
      if (running.size === 0) allEnded.resolve()
      await allEnded.promise
      stopClock()
    },
  }
}

type Listening = { readonly exchanges: Set<Exchange>; readonly abandon: () => void }

/**
 * All exchanges with the same signal share one listener. To add and remove a listener for each of hundreds of exchanges would
 * cost more than the rest of a request here. A signal without exchanges has no listener.
 */
class AbortListeners {
  readonly #listening = new Map<AbortSignal, Listening>()

  add(exchange: Exchange, signal: AbortSignal): void {
    const listening = this.#listening.get(signal) ?? this.#listen(signal)
    listening.exchanges.add(exchange)
  }

  delete(exchange: Exchange, signal: AbortSignal): void {
    const listening = this.#listening.get(signal)
    if (listening === undefined || !listening.exchanges.delete(exchange) || listening.exchanges.size > 0) return
    this.#listening.delete(signal)
    signal.removeEventListener('abort', listening.abandon)
  }

  #listen(signal: AbortSignal): Listening {
    const exchanges = new Set<Exchange>()
    const abandon = () => {
      for (const exchange of exchanges) exchange.abandon(signal.reason)
    }
    const listening = { exchanges, abandon }
    this.#listening.set(signal, listening)
    signal.addEventListener('abort', abandon)
    return listening
  }
}

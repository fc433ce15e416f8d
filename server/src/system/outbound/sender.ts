import { constants } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { Connection } from './connection.ts'
import { connections } from './connections.ts'
import { guardedConnector } from './connector.ts'
import { type Destination, destinations } from './destinations.ts'
import { Exchange, type ExchangeHome, type Waiting } from './exchange.ts'
import { HeededSignals } from './heeded-signals.ts'
import { OUTBOUND_LIMITS, type OutboundLimits } from './limits.ts'
import type { Outcome } from './outcome.ts'
import type { Reach } from './reach.ts'
import { type Headers, requestBytes } from './request-bytes.ts'
import { nameResolver, type Resolve } from './resolver.ts'
import { atTurnsEnd } from './turns-end.ts'

export type OutboundRequest = {
  readonly url: string
  readonly headers: Headers
  readonly body: Buffer | string
  /**
   * Giving up: the promise is rejected with the signal's reason, and what the receiver did is not known. Where the status is there
   * already, that is the outcome.
   */
  readonly signal?: AbortSignal
}

export type OutboundSender = {
  /** Posts once. Whatever a receiver or the network does is an outcome; it rejects only for the signal or a bug. */
  send(request: OutboundRequest): Promise<Outcome>
  /** Takes nothing more, and waits for what is under way. */
  close(): Promise<void>
}

export type OutboundSettings = {
  readonly reach: Reach
  readonly limits?: Partial<OutboundLimits>
  readonly resolve?: Resolve
  /** Certificate authorities to trust instead of the usual ones, as PEM. */
  readonly ca?: readonly string[]
}

const QUESTION_MS = 2_000
/** A receiver could have us shake hands again and again, which is the dearest thing that TLS does. */
const TLS = { secureOptions: constants.SSL_OP_NO_RENEGOTIATION }

/**
 * Sends to addresses that partners chose, and never into our own network: the URL is judged when it is first seen, the
 * address at every connection. What may be reached is fixed for a sender's life, so its open sockets are always as
 * allowed as new ones. Redirects are answers like any other; nothing follows them.
 */
export function outboundSender({ reach, resolve: resolveName, ca, limits: changed }: OutboundSettings): OutboundSender {
  const limits = { ...OUTBOUND_LIMITS, ...changed }
  const open = guardedConnector({
    reach,
    resolve: resolveName ?? nameResolver({ questionMs: QUESTION_MS }),
    secureContext: createSecureContext({ ...TLS, ...(ca === undefined ? {} : { ca: [...ca] }) }),
    connectMs: limits.connectMs,
  })
  const settle = atTurnsEnd<Connection>((connection) => connection.settled())
  const kept = connections({ limits, open, settle, lost: (connection) => kept.forget(connection) })
  const destinationOf = destinations(reach)
  const underWay = new Set<Exchange>()
  const heeded = new HeededSignals()
  let clock: NodeJS.Timeout | null = null
  const home: ExchangeHome = { limits, over }
  let closed = false
  const quiet = Promise.withResolvers<void>()

  /** One timer for all: deadlines, unused connections. It runs only while there is something to look at. */
  function tick(): void {
    const nowMs = performance.now()
    for (const { deadlineMs, connection } of underWay) if (nowMs >= deadlineMs) connection.expire()
    kept.tidy(nowMs)
    if (underWay.size === 0 && kept.count() === 0) stopClock()
  }

  function stopClock(): void {
    if (clock !== null) clearInterval(clock)
    clock = null
  }

  function over(exchange: Exchange, sound: boolean, nowMs: number): void {
    underWay.delete(exchange)
    if (exchange.waiting.signal !== undefined) heeded.delete(exchange, exchange.waiting.signal)
    kept.giveBack(exchange.connection, sound, nowMs)
    if (closed && underWay.size === 0) quiet.resolve()
  }

  function post({ place, head }: Destination, { headers, body }: OutboundRequest, waiting: Waiting): void {
    const bytes = requestBytes(head, headers, body)
    const exchange = new Exchange(kept.take(place), waiting, home)
    underWay.add(exchange)
    if (waiting.signal !== undefined) heeded.add(exchange, waiting.signal)
    clock ??= setInterval(tick, limits.tickMs).unref()
    exchange.connection.carry(exchange, bytes)
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
      kept.close()
      if (underWay.size === 0) quiet.resolve()
      await quiet.promise
      stopClock()
    },
  }
}

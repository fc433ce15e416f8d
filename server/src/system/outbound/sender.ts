import { createSecureContext } from 'node:tls'
import { connections } from './connections.ts'
import { guardedConnector } from './connector.ts'
import { type Destination, destinations } from './destinations.ts'
import { Exchange, type ExchangeHome } from './exchange.ts'
import { floodWatch } from './flood-watch.ts'
import { HeededSignals } from './heeded-signals.ts'
import { OUTBOUND_LIMITS, type OutboundLimits } from './limits.ts'
import type { Outcome } from './outcome.ts'
import type { Reach } from './reach.ts'
import { nameResolver, type Resolve } from './resolver.ts'

export type OutboundRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string
  /** Giving up: the promise is rejected with the signal's reason, and what the receiver did is not known. */
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

/**
 * Sends to addresses that partners chose, and never into our own network: the URL is judged when it is first seen, the
 * address at every connection. What may be reached is fixed for a sender's life, so its open sockets are always as
 * allowed as new ones. Redirects are answers like any other; nothing follows them.
 */
export function outboundSender({ reach, resolve, ca, limits: changed }: OutboundSettings): OutboundSender {
  const limits = { ...OUTBOUND_LIMITS, ...changed }
  const floods = floodWatch(limits.tickBytesMax)
  const connector = guardedConnector({
    reach,
    resolve: resolve ?? nameResolver({ questionMs: QUESTION_MS }),
    secureContext: createSecureContext(ca === undefined ? {} : { ca: [...ca] }),
    connectMs: limits.connectMs,
    onOpen: floods.watch,
  })
  const kept = connections(limits, connector)
  const destinationOf = destinations(reach)
  const underWay = new Set<Exchange>()
  const heeded = new HeededSignals()
  let clock: NodeJS.Timeout | null = null
  let closed = false

  /** One timer for all: deadlines, floods, unused connections. It runs only while there is something to look at. */
  function tick(): void {
    const nowMs = performance.now()
    for (const exchange of underWay) if (nowMs >= exchange.deadlineMs) exchange.expire()
    floods.look()
    kept.tidy()
    if (underWay.size === 0 && kept.count() === 0) stopClock()
  }

  function stopClock(): void {
    if (clock !== null) clearInterval(clock)
    clock = null
  }

  const home: ExchangeHome = {
    limits,
    over(exchange, sound) {
      const { connection, signal } = exchange.parts
      underWay.delete(exchange)
      if (signal !== undefined) heeded.delete(exchange, signal)
      kept.giveBack(connection, sound)
    },
  }

  function post(destination: NonNullable<Destination>, { headers, body, signal }: OutboundRequest): Promise<Outcome> {
    const connection = kept.take(destination.origin)
    return new Promise<Outcome>((resolve, reject) => {
      const exchange = new Exchange({ connection, signal, resolve, reject }, home)
      underWay.add(exchange)
      if (signal !== undefined) heeded.add(exchange, signal)
      clock ??= setInterval(tick, limits.tickMs).unref()
      connection.client.dispatch({ method: 'POST', path: destination.path, headers, body }, exchange)
    })
  }

  return {
    async send(request) {
      if (closed) throw new Error('the sender is closed')
      request.signal?.throwIfAborted()
      const destination = destinationOf(request.url)
      return destination === null ? { kind: 'failed', why: 'blocked_url', durationMs: 0 } : post(destination, request)
    },
    async close() {
      closed = true
      await kept.close()
      stopClock()
    },
  }
}

import type { Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import { type Open, Opening } from './connector.ts'
import type { Place } from './judge-url.ts'
import type { OutboundLimits } from './limits.ts'
import { OutboundFailure } from './outcome.ts'

export type ConnectionSettings = { readonly limits: OutboundLimits; readonly open: Open }

/** The request that a connection carries. */
export type Carried = Dispatcher.DispatchHandler & {
  /** Gets each received piece before undici reads it. Returns false to stop reading. */
  accept(piece: Buffer): boolean
}

/** One undici client over one socket. It carries one request at a time. */
export class Connection {
  readonly origin: string
  readonly madeMs = performance.now()
  readonly #opening = new Opening()
  readonly #client: Client
  /** Whether undici has opened a socket for the current request. */
  #hasDialled = false
  /**
   * Null until undici writes the request, and after its response has ended. Bytes that arrive while it is null were not
   * requested.
   */
  #carried: Carried | null = null

  constructor(place: Place, { limits, open }: ConnectionSettings, onLost: (connection: Connection) => void) {
    this.origin = place.origin
    this.#client = new Client(place.origin, {
      connect: (_, callback) => {
        this.#open(place, open).then(
          (socket) => {
            callback(null, socket)
            // undici listens to `readable`, and `data` is emitted before undici reads the bytes.
            socket.on('data', (piece: Buffer) => this.#inspect(piece))
          },
          (error: Error) => callback(error, null),
        )
      },
      allowH2: false,
      useMilo: false,
      pipelining: 1,
      maxHeaderSize: limits.headerBytesMax,
      keepAliveTimeout: Math.min(limits.keepAliveMs, limits.unusedConnectionMs),
      keepAliveMaxTimeout: limits.unusedConnectionMs,
      // Both timeouts are off, because undici restarts them with every interim response and every piece of the body, so a slow
      // receiver could extend them. Each exchange has a deadline instead.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    this.#client.on('disconnect', () => onLost(this))
  }

  send(request: Dispatcher.DispatchOptions, handler: Carried): void {
    this.#hasDialled = false
    this.#client.dispatch(request, handler)
  }

  /** Called when the request is written. */
  begin(carried: Carried): void {
    this.#carried = carried
  }

  /** Called when the response has ended. */
  endRequest(): void {
    this.#carried = null
  }

  get isOpen(): boolean {
    return this.#opening.socket?.destroyed === false
  }

  /**
   * False while part of the request is unsent. If the response ends while this is false, the receiver did not read the whole
   * request.
   */
  get hasSentAll(): boolean {
    return this.#opening.socket?.writableLength === 0
  }

  end(): void {
    this.#opening.stop()
    void this.#client.destroy()
  }

  /**
   * If the socket closes before undici has written the request, undici reconnects, again and again. So only a reused connection
   * may be opened again, and only once, because the receiver may have closed it meanwhile. A receiver that closes every
   * connection gets one attempt.
   */
  #open(place: Place, open: Open): Promise<Socket> {
    if (this.#hasDialled) return Promise.reject(new OutboundFailure('connection_failed', 'closed before the request'))
    this.#hasDialled = true
    return open(place, this.#opening)
  }

  #inspect(piece: Buffer): void {
    if (this.#carried === null || !this.#carried.accept(piece)) this.#opening.socket?.destroy()
  }
}

export type Connections = {
  take(place: Place): Connection
  /** `reusable`: the response was read to its end, so the next response starts at the right byte. */
  giveBack(connection: Connection, reusable: boolean): void
  /** Closes unused connections now, and every other connection when its request has ended. */
  close(): void
}

/**
 * Kept-alive connections by origin, shared only by endpoints of the same origin. There is no limit per origin and no queue:
 * endpoints of many partners may have the same origin, and an endpoint that hangs must not delay the others. The delivery
 * engine limits the number of running requests. undici's Pool either has such a queue or, without a limit, opens twice as many
 * connections, because it considers a client busy until the turn after its response. undici closes a connection that was idle
 * for too long.
 */
export function connections(settings: ConnectionSettings): Connections {
  const { limits } = settings
  /**
   * For each origin, the connection that was used last is on top, so that surplus connections stay at the bottom until
   * they have been idle too long.
   */
  const unused = new Map<string, Connection[]>()
  let count = 0
  let closed = false

  function isYoung({ madeMs }: Connection): boolean {
    return performance.now() - madeMs <= limits.connectionLifeMs
  }

  function storeUnused(connection: Connection): void {
    count += 1
    connection.endRequest()
    const stack = unused.get(connection.origin)
    if (stack === undefined) unused.set(connection.origin, [connection])
    else stack.push(connection)
  }

  function remove(connection: Connection): void {
    const stack = unused.get(connection.origin) ?? []
    const at = stack.indexOf(connection)
    if (at === -1) return
    stack.splice(at, 1)
    if (stack.length === 0) unused.delete(connection.origin)
    count -= 1
  }

  return {
    take(place) {
      for (let idle = unused.get(place.origin)?.pop(); idle !== undefined; idle = unused.get(place.origin)?.pop()) {
        count -= 1
        if (idle.isOpen && isYoung(idle)) return idle
        idle.end()
      }
      return new Connection(place, settings, remove)
    },
    giveBack(connection, reusable) {
      if (reusable && !closed && count < limits.unusedConnectionsMax && isYoung(connection)) storeUnused(connection)
      else connection.end()
    },
    close() {
      closed = true
      for (const stack of unused.values()) for (const connection of stack) connection.end()
      unused.clear()
      count = 0
    },
  }
}

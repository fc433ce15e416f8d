import { type buildConnector, Client } from 'undici'
import type { OutboundLimits } from './limits.ts'

/** Carries one request at a time. undici opens its socket when it is first used, and again when it was closed. */
export type Connection = {
  readonly origin: string
  readonly client: Client
  readonly madeMs: number
  usedMs: number
}

export type Connections = {
  take(origin: string): Connection
  /** `sound`: the last answer was read to its end, so the next one begins where it should. */
  giveBack(connection: Connection, sound: boolean): void
  /** How many are kept, in use or not. */
  count(): number
  /** Gives up what has not been used for a while. */
  tidy(): void
  /** Waits for those in use. */
  close(): Promise<void>
}

/**
 * Kept-alive connections, by origin: shared by the endpoints of one origin and by nobody else. Whoever asks gets one at
 * once. There is no bound for an origin and no queue: endpoints of many partners may live at one address, and one that
 * hangs there must not keep the others waiting. What bounds them is the number of requests under way. undici's Pool
 * either has that queue or, without a bound, opens twice as many: to it a client is busy until the turn after its answer.
 */
export function connections(limits: OutboundLimits, connect: buildConnector.connector): Connections {
  const all = new Set<Connection>()
  /** Of each origin, the one used last on top, so that what is not needed grows old at the bottom. */
  const unused = new Map<string, Connection[]>()
  let unusedCount = 0

  function make(origin: string): Connection {
    const nowMs = performance.now()
    const connection = { origin, client: newClient(origin, limits, connect), madeMs: nowMs, usedMs: nowMs }
    all.add(connection)
    return connection
  }

  function end(connection: Connection): void {
    all.delete(connection)
    void connection.client.destroy()
  }

  function isOld({ madeMs }: Connection): boolean {
    return performance.now() - madeMs > limits.connectionLifeMs
  }

  function keep(connection: Connection): void {
    unusedCount += 1
    const stack = unused.get(connection.origin)
    if (stack === undefined) unused.set(connection.origin, [connection])
    else stack.push(connection)
  }

  return {
    take(origin) {
      const kept = unused.get(origin)?.pop()
      if (kept === undefined) return make(origin)
      unusedCount -= 1
      if (!isOld(kept)) return kept
      end(kept)
      return make(origin)
    },
    giveBack(connection, sound) {
      connection.usedMs = performance.now()
      if (sound && unusedCount < limits.unusedConnectionsMax && all.has(connection)) keep(connection)
      else end(connection)
    },
    count: () => all.size,
    tidy() {
      const longAgoMs = performance.now() - limits.unusedConnectionMs
      for (const [origin, stack] of unused) {
        const recent = stack.findIndex(({ usedMs }) => usedMs > longAgoMs)
        const ended = stack.splice(0, recent === -1 ? stack.length : recent)
        unusedCount -= ended.length
        ended.forEach(end)
        if (stack.length === 0) unused.delete(origin)
      }
    },
    async close() {
      const clients = [...all].map(({ client }) => client)
      all.clear()
      unused.clear()
      unusedCount = 0
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}

function newClient(origin: string, limits: OutboundLimits, connect: buildConnector.connector): Client {
  return new Client(origin, {
    connect,
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: limits.headerBytesMax,
    keepAliveTimeout: limits.keepAliveMs,
    keepAliveMaxTimeout: limits.unusedConnectionMs,
    // Exchanges have deadlines of their own, over connection, headers and body together.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

import { Connection, type ConnectionHome } from './connection.ts'
import type { Place } from './destinations.ts'

export type Connections = {
  take(place: Place): Connection
  /** `sound`: the last answer was read to its end, so the next one begins where it should. */
  giveBack(connection: Connection, sound: boolean, nowMs: number): void
  /** It has ended while it was unused. */
  forget(connection: Connection): void
  /** How many are unused. */
  count(): number
  /** Gives up what has not been used for a while. */
  tidy(nowMs: number): void
  /** Ends those that are unused, and keeps none any more. */
  close(): void
}

/** A receiver that says how long it waits begins to count before we do: that much earlier we stop. */
const KEEP_ALIVE_MARGIN_MS = 2_000

/**
 * Kept-alive connections, by origin: shared by the endpoints of one origin and by nobody else. Whoever asks gets one at
 * once. There is no bound for an origin and no queue: endpoints of many partners may live at one address, and one that
 * hangs there must not keep the others waiting. What bounds them is the number of requests under way.
 */
export function connections(home: ConnectionHome): Connections {
  const { limits } = home
  /** Of each origin, the one used last on top, so that what is not needed grows old at the bottom. */
  const unused = new Map<string, Connection[]>()
  let count = 0
  let closed = false

  function isFresh({ madeMs, idleUntilMs }: Connection, nowMs: number): boolean {
    return nowMs < idleUntilMs && nowMs - madeMs <= limits.connectionLifeMs
  }

  function idleMs({ keepAliveSeconds }: Connection): number {
    const saidMs = keepAliveSeconds === null ? limits.keepAliveMs : keepAliveSeconds * 1_000 - KEEP_ALIVE_MARGIN_MS
    return Math.min(saidMs, limits.unusedConnectionMs)
  }

  function keep(connection: Connection): void {
    count += 1
    const stack = unused.get(connection.place.origin)
    if (stack === undefined) unused.set(connection.place.origin, [connection])
    else stack.push(connection)
  }

  return {
    take(place) {
      const kept = unused.get(place.origin)?.pop()
      if (kept === undefined) return new Connection(place, home)
      count -= 1
      if (isFresh(kept, performance.now())) return kept
      kept.end()
      return new Connection(place, home)
    },
    giveBack(connection, sound, nowMs) {
      connection.rest(nowMs + idleMs(connection))
      if (sound && !closed && count < limits.unusedConnectionsMax && isFresh(connection, nowMs)) keep(connection)
      else connection.end()
    },
    forget(connection) {
      const stack = unused.get(connection.place.origin) ?? []
      const at = stack.indexOf(connection)
      if (at === -1) return
      stack.splice(at, 1)
      count -= 1
    },
    count: () => count,
    tidy(nowMs) {
      for (const [origin, stack] of unused) {
        const ended = stack.filter((connection) => !isFresh(connection, nowMs))
        for (const connection of ended) connection.end()
        count -= ended.length
        if (ended.length === stack.length) unused.delete(origin)
        else if (ended.length > 0)
          unused.set(
            origin,
            stack.filter((connection) => isFresh(connection, nowMs)),
          )
      }
    },
    close() {
      closed = true
      for (const stack of unused.values()) for (const connection of stack) connection.end()
      unused.clear()
      count = 0
    },
  }
}

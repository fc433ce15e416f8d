import { setTimeout as wait } from 'node:timers/promises'
import { newIdBody } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type AtWork, type EngineParts, newSignals } from './engine-parts.ts'
import type { Lane } from './lane.ts'
import { LeasedLanes } from './leased-lanes.ts'
import { SendRounds } from './send-rounds.ts'
import { findNextDue, leaseLanes, lockOwnLane, releaseLane, renewLanes } from './store.ts'

export type DeliveryEngine = {
  start(): void
  /** Polls now instead of at the next interval. */
  wake(): void
  /** Takes no more deliveries, waits for requests in progress, and releases its lanes. */
  stop(): Promise<void>
}

const TIDY_MS = 200
const AFTER_FAILURE_MS = 1_000

/**
 * Sends the due deliveries of one world. Each lane is leased to one worker at a time, and reading its deliveries writes
 * nothing. Requests are sent outside of transactions, and outcomes are recorded in batches. Polling finds all due
 * deliveries; a wake-up signal only starts the next poll sooner.
 */
export function deliveryEngine(parts: EngineParts): DeliveryEngine {
  const { db, settings, log } = parts
  const lease = { owner: `worker_${newIdBody()}`, seconds: settings.leaseSeconds }
  const at: AtWork = { ...parts, lease, lanes: new LeasedLanes(settings), signals: newSignals() }
  const leases = new Leases(at)
  const sending = new SendRounds(at)
  const stopping = new AbortController()
  let running: Promise<unknown> | null = null

  /** Runs until the stop. A failing round is logged and does not end the loop. */
  async function loop(name: string, round: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await round()
      } catch (error) {
        log.error({ world: db.world, round: name, err: error }, 'sending deliveries failed; it will be tried again')
        await wait(AFTER_FAILURE_MS, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  /** Renewing has its own loop: while the tidy loop waits for one lane's lock, the leases of other lanes must not expire. */
  async function renewRound(): Promise<void> {
    await at.signals.renew.wait(settings.renewMs)
    await leases.renew()
  }

  async function tidyRound(): Promise<void> {
    await at.signals.tidy.wait(TIDY_MS)
    await sending.health.write()
    await leases.releaseIdle()
  }

  async function finish(): Promise<void> {
    await sending.drain(settings.drainMs)
    await leases.releaseAll()
  }

  return {
    start() {
      running ??= Promise.all([
        loop('lease', () => leases.round()),
        loop('send', () => sending.round()),
        loop('renew', renewRound),
        loop('tidy', tidyRound),
      ])
    },
    wake: () => at.signals.lease.wake(),
    async stop() {
      stopping.abort()
      for (const wakeUp of Object.values(at.signals)) wakeUp.wake()
      await running
      await finish().catch((error: unknown) =>
        log.warn({ err: error }, 'lanes could not be released; their leases will expire'),
      )
    },
  }
}

const LEASE_BATCH = 16

/** The leases of this worker: takes due lanes, renews and releases them. */
class Leases {
  readonly #at: AtWork

  constructor(at: AtWork) {
    this.#at = at
  }

  async round(): Promise<void> {
    const { db, lease, lanes, clock, signals, settings } = this.#at
    const alsoFailing = !lanes.isCrowded()
    if (!alsoFailing) lanes.thinOut()
    const limit = Math.min(LEASE_BATCH, lanes.room())
    const leased = limit > 0 ? await leaseLanes(db, lease, { limit, alsoFailing }) : []
    for (const lane of leased) lanes.add(lane, clock.now())
    lanes.expectMore()
    if (lanes.size > 0) signals.send.wake()
    if (leased.length < limit || limit === 0)
      await signals.lease.wait(lanes.size > 0 ? settings.busyMs : settings.idleMs)
  }

  async renew(): Promise<void> {
    const { db, lease, lanes } = this.#at
    const leased = lanes.all().filter(({ isLeased }) => isLeased)
    if (leased.length === 0) return
    const renewed = new Set(await renewLanes(db, lease, leased))
    for (const lane of leased) lane.isLeased = renewed.has(lane.endpoint)
  }

  async releaseIdle(): Promise<void> {
    const idle = this.#at.lanes.all().filter((lane) => lane.isIdle() && this.#mayRelease(lane))
    // Checked again, because this lane may have got work while the previous lane was released.
    for (const lane of idle) if (lane.isIdle()) await this.#release(lane)
  }

  async releaseAll(): Promise<void> {
    for (const lane of this.#at.lanes.all()) await this.#release(lane)
  }

  /** Whether an idle lane may be released. It stays leased for a while, unless the worker leases many lanes. */
  #mayRelease({ isLeased, isLeaving, lastWorkMs }: Lane): boolean {
    const { lanes, clock, settings } = this.#at
    return !isLeased || isLeaving || lanes.isCrowded() || clock.now() - lastWorkMs >= settings.lingerMs
  }

  async #release(lane: Lane): Promise<void> {
    const { db, lease, lanes, signals } = this.#at
    // Removed from the map first, so that the next lease starts with a new Lane, also in this worker.
    lanes.drop(lane)
    const isLeft = await db.transaction((tx) => release(tx, lane, lease.owner))
    // A worker that was woken before the release could not lease the lane, and would wait for its next poll.
    if (isLeft) signals.lease.wake()
  }
}

/**
 * Releases a lane and sets when it is due next. Returns whether the lane still has deliveries. No wake-up is lost:
 * fan-out locks the lane after it has queued deliveries, and this function locks the lane before it reads them in a new
 * statement. So either this function reads the new deliveries, or fan-out finds the lane released and makes it due.
 */
export async function release(tx: Tx, lane: Lane, owner: string): Promise<boolean> {
  if (!(await lockOwnLane(tx, lane.endpoint, owner))) return false
  const nextDueAt = await findNextDue(tx, lane.endpoint)
  const { slots, reading, pausedUntil } = lane
  await releaseLane(tx, lane.endpoint, { slots, swept: reading.hasSwept, nextDueAt, pausedUntil })
  return nextDueAt !== null
}

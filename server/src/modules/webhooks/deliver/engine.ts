import { setTimeout as wait } from 'node:timers/promises'
import { newIdBody } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type AtWork, type EngineParts, newBells } from './engine-parts.ts'
import { HeldLanes } from './held-lanes.ts'
import type { Lane } from './lane.ts'
import { findNextDue, leaseLanes, lockOwnLane, releaseLane, renewLanes } from './lane-store.ts'
import { SendRounds } from './send-rounds.ts'

export type DeliveryEngine = {
  start(): void
  /** Something may have become due: look now and not at the next poll. */
  kick(): void
  /** Takes nothing more, lets what is under way finish, and leaves its lanes to others. */
  stop(): Promise<void>
}

const TIDY_MS = 200
const AFTER_FAILURE_MS = 1_000

/**
 * Sends what is due in one world. Lanes are leased, each to one worker at a time, and read without writing; everything
 * is sent outside of transactions and recorded in batches. Polling finds all there is; a kick only makes it sooner.
 */
export function deliveryEngine(parts: EngineParts): DeliveryEngine {
  const { db, settings, log } = parts
  const lease = { owner: `worker_${newIdBody()}`, seconds: settings.leaseSeconds }
  const at: AtWork = { ...parts, lease, lanes: new HeldLanes(settings), bells: newBells() }
  const leases = new Leases(at)
  const sending = new SendRounds(at)
  const stopping = new AbortController()
  let running: Promise<unknown> | null = null

  /** Runs until the stop; a failing round is told of and never ends the loop. */
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

  /** Apart from everything else: a lane that somebody has locked must not cost the others their leases. */
  async function renewRound(): Promise<void> {
    await at.bells.renew.wait(settings.renewMs)
    await leases.renew()
  }

  async function tidyRound(): Promise<void> {
    await at.bells.tidy.wait(TIDY_MS)
    await sending.health.write()
    await leases.letGoIdle()
  }

  async function finish(): Promise<void> {
    await sending.drain(settings.drainMs)
    await leases.letGoAll()
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
    kick: () => at.bells.lease.ring(),
    async stop() {
      stopping.abort()
      for (const bell of Object.values(at.bells)) bell.ring()
      await running
      await finish().catch((error: unknown) => log.warn({ err: error }, 'lanes are left to run out of their leases'))
    },
  }
}

const LEASE_BATCH = 16

/** Which lanes are this worker's: takes those that are due, keeps them, and leaves them to others. */
class Leases {
  readonly #at: AtWork

  constructor(at: AtWork) {
    this.#at = at
  }

  async round(): Promise<void> {
    const { db, lease, lanes, clock, bells, settings } = this.#at
    const alsoFailing = !lanes.isCrowded()
    if (!alsoFailing) lanes.thinOut()
    const limit = Math.min(LEASE_BATCH, lanes.room())
    const leased = limit > 0 ? await leaseLanes(db, lease, { limit, alsoFailing }) : []
    for (const lane of leased) lanes.add(lane, clock.now())
    lanes.makeHungry()
    if (lanes.size > 0) bells.send.ring()
    if (leased.length < limit || limit === 0) await bells.lease.wait(lanes.size > 0 ? settings.busyMs : settings.idleMs)
  }

  async renew(): Promise<void> {
    const { db, lease, lanes } = this.#at
    const held = lanes.all().filter(({ isHeld }) => isHeld)
    if (held.length === 0) return
    const kept = new Set(await renewLanes(db, lease, held))
    for (const lane of held) lane.isHeld = kept.has(lane.endpoint)
  }

  async letGoIdle(): Promise<void> {
    const idle = this.#at.lanes.all().filter((lane) => lane.isIdle() && this.#mayGo(lane))
    // Looked at again: while the one before was let go, this one may have been given work.
    for (const lane of idle) if (lane.isIdle()) await this.#letGo(lane)
  }

  async letGoAll(): Promise<void> {
    for (const lane of this.#at.lanes.all()) await this.#letGo(lane)
  }

  /** A lane without work is kept for a while, unless others need its place. */
  #mayGo({ isHeld, isLeaving, lastWorkMs }: Lane): boolean {
    const { lanes, clock, settings } = this.#at
    return !isHeld || isLeaving || lanes.isCrowded() || clock.now() - lastWorkMs >= settings.lingerMs
  }

  async #letGo(lane: Lane): Promise<void> {
    const { db, lease, lanes, bells } = this.#at
    // Out of the map first: whoever leases it next, be it this worker, begins anew.
    lanes.drop(lane)
    const isLeft = await db.transaction((tx) => release(tx, lane, lease.owner))
    // Whoever was kicked meanwhile could not have it yet, and would not look again before the next poll.
    if (isLeft) bells.lease.ring()
  }
}

/**
 * Leaves a lane to whoever comes next, and says when that should be. Locked first, then looked at in a new statement:
 * fan-out, which locks it after queueing, is either seen here or sees the lane asleep and wakes it. No wake-up is lost.
 * Says whether something is left in it.
 */
export async function release(tx: Tx, lane: Lane, owner: string): Promise<boolean> {
  if (!(await lockOwnLane(tx, lane.endpoint, owner))) return false
  const nextDueAt = await findNextDue(tx, lane.endpoint)
  const { slots, reading, pausedUntil } = lane
  await releaseLane(tx, lane.endpoint, { slots, swept: reading.hasSwept, nextDueAt, pausedUntil })
  return nextDueAt !== null
}

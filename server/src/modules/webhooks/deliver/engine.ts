import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { WallClock } from '#kernel/clock.ts'
import { type Id, newIdBody } from '#kernel/ids.ts'
import { Bell } from '#system/bell.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'
import type { Log } from '#system/log.ts'
import type { Metrics } from '#system/metrics.ts'
import type { OutboundSender } from '#system/outbound/sender.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { isGone, isSuccess, type Random } from '../retry/retry-policy.ts'
import { statusWordOf } from './attempt.ts'
import { type DueDelivery, findDue } from './due-store.ts'
import { HealthNotes } from './health.ts'
import { HeldLanes } from './held-lanes.ts'
import type { Lane } from './lane.ts'
import { leaseLanes, renewLanes } from './lane-store.ts'
import { Recorder } from './recorder.ts'
import { release } from './release.ts'
import { deliverySender, type Sent } from './send-delivery.ts'
import type { EngineSettings } from './settings.ts'

export type EngineParts = {
  readonly db: WorldDatabase
  /** That of the same world: what may be reached differs between the two. */
  readonly sender: OutboundSender
  readonly secrets: SealedBox
  readonly clock: WallClock
  readonly random: Random
  /** The brand's, such as `Wefunder-Signature`. */
  readonly signatureHeader: string
  readonly settings: EngineSettings
  /** "410 disables." */
  readonly onGone: (endpoint: Id<'webhookEndpoint'>) => Promise<void>
  readonly log: Log
  readonly metrics: Pick<Metrics, 'delivery'>
}

export type DeliveryEngine = {
  start(): void
  /** Something may have become due: look now and not at the next poll. */
  kick(): void
  /** Takes nothing more, lets what is under way finish, and leaves its lanes to others. */
  stop(): Promise<void>
}

const LEASE_BATCH = 16
/** Rendering and signing a few takes a millisecond; then others may have the event loop. */
const SEND_BATCH = 8
/** Lanes that get one answer after the other must not turn each into a statement of its own. */
const FEW = 32
const GATHER_MS = 5
const TIDY_MS = 200
const AFTER_FAILURE_MS = 1_000
const RECORD_WITHIN_MS = 1_500

/**
 * Sends what is due in one world. Lanes are leased, each to one worker at a time, and read without writing; everything
 * is sent outside of transactions and recorded in batches. Polling finds all there is; a kick only makes it sooner.
 */
export function deliveryEngine(parts: EngineParts): DeliveryEngine {
  const { db, clock, settings, log, metrics } = parts
  const lease = { owner: `worker_${newIdBody()}`, seconds: settings.leaseSeconds }
  const lanes = new HeldLanes(settings.sharedSlots)
  const recorder = new Recorder(db, log)
  const health = new HealthNotes(db)
  const cutOff = new AbortController()
  setMaxListeners(0, cutOff.signal)
  const send = deliverySender({ ...parts, world: db.world, signal: cutOff.signal })
  const bells = { lease: new Bell(), send: new Bell(), tidy: new Bell(), quiet: new Bell() }
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

  async function leaseRound(): Promise<void> {
    const room = Math.min(LEASE_BATCH, settings.lanesMax - lanes.size)
    const leased = room > 0 ? await leaseLanes(db, lease, room) : []
    for (const lane of leased) lanes.add(lane, clock.now())
    lanes.makeHungry()
    if (lanes.size > 0) bells.send.ring()
    if (leased.length < LEASE_BATCH) await bells.lease.wait(lanes.size > 0 ? settings.busyMs : settings.idleMs)
  }

  async function sendRound(): Promise<void> {
    const wanted = lanes.wanted()
    if (wanted.length === 0) return bells.send.wait(settings.idleMs)
    const due = await findDue(db, lease.owner, wanted)
    for (const { endpoint, count } of wanted) {
      const got = due.filter(({ endpoint_id }) => endpoint_id === endpoint)
      lanes.get(endpoint)?.served(
        count,
        got.map(({ id }) => id),
      )
    }
    await begin(due)
    if (due.length < FEW) await wait(GATHER_MS)
  }

  async function begin(due: readonly DueDelivery[]): Promise<void> {
    for (const [at, delivery] of due.entries()) {
      const lane = lanes.get(delivery.endpoint_id)
      if (lane === undefined) continue
      lane.began(delivery.id, clock.now())
      void deliver(lane, delivery)
      if (at % SEND_BATCH === SEND_BATCH - 1) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async function deliver(lane: Lane, due: DueDelivery): Promise<void> {
    try {
      conclude(lane, await send(due))
    } catch (error) {
      lane.answered(null)
      // Cut off: whether it arrived is not known, so it stays in the queue. Else it is a bug of ours: it stays there, too,
      // and is not taken up again by this worker, which would only meet it once more.
      if (cutOff.signal.aborted) lane.busy.delete(due.id)
      else log.error({ delivery: due.id, err: error }, 'a delivery could not be sent')
    }
    bells.send.ring()
    bells.quiet.ring()
  }

  function conclude(lane: Lane, { recorded, outcome }: Sent): void {
    lane.answered(outcome === null ? null : isSuccess(outcome))
    if (outcome !== null) health.note(lane.endpoint, statusWordOf(outcome), isSuccess(outcome))
    metrics.delivery(db.world, recorded.state, outcome === null ? 0 : outcome.durationMs / 1_000)
    recorder.record(recorded, () => {
      lane.busy.delete(recorded.id)
      bells.send.ring()
      if (outcome !== null && isGone(outcome)) void disable(lane)
    })
  }

  async function disable(lane: Lane): Promise<void> {
    lane.isHeld = false
    try {
      await parts.onGone(lane.endpoint)
    } catch (error) {
      // The next delivery to it will be told 410 as well.
      log.error({ endpoint: lane.endpoint, err: error }, 'an endpoint that is gone could not be disabled')
    }
  }

  let renewedAt = clock.now()
  async function tidyRound(): Promise<void> {
    await bells.tidy.wait(TIDY_MS)
    await health.write()
    if (clock.now() - renewedAt >= settings.renewMs) await renew()
    const idle = lanes.all().filter((lane) => lane.isIdle() && (!lane.isHeld || isTired(lane)))
    // Looked at again: while the one before was let go, this one may have been given work.
    for (const lane of idle) if (lane.isIdle()) await letGo(lane)
  }

  const isTired = (lane: Lane) => clock.now() - lane.lastWorkMs >= settings.lingerMs

  async function renew(): Promise<void> {
    renewedAt = clock.now()
    const held = lanes.all().filter(({ isHeld }) => isHeld)
    if (held.length === 0) return
    const kept = new Set(await renewLanes(db, lease, held))
    for (const lane of held) lane.isHeld = kept.has(lane.endpoint)
  }

  async function letGo(lane: Lane): Promise<void> {
    // Out of the map first: whoever leases it next, be it this worker, begins anew.
    lanes.drop(lane)
    const isLeft = await db.transaction((tx) => release(tx, lane, lease.owner))
    // Whoever was kicked meanwhile could not have it yet, and would not look again before the next poll.
    if (isLeft) bells.lease.ring()
  }

  async function drain(): Promise<void> {
    const until = performance.now() + settings.drainMs
    while (lanes.underWay() > 0 && performance.now() < until) await bells.quiet.wait(until - performance.now())
    cutOff.abort(new Error('the worker stops'))
    while (lanes.underWay() > 0) await bells.quiet.wait(AFTER_FAILURE_MS)
    // With the database away nothing can be written: whoever has the lanes next sends it again.
    await Promise.race([recorder.drained(), wait(RECORD_WITHIN_MS, undefined, { ref: false })])
    await health.write()
    for (const lane of lanes.all()) await letGo(lane)
  }

  return {
    start() {
      running ??= Promise.all([loop('lease', leaseRound), loop('send', sendRound), loop('tidy', tidyRound)])
    },
    kick: () => bells.lease.ring(),
    async stop() {
      stopping.abort()
      for (const bell of [bells.lease, bells.send, bells.tidy]) bell.ring()
      await running
      await drain().catch((error: unknown) => log.warn({ err: error }, 'lanes are left to run out of their leases'))
    },
  }
}

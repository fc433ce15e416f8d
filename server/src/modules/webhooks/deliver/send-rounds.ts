import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Outcome } from '#system/outbound/outcome.ts'
import { isGone, isSuccess } from '../retry/retry-policy.ts'
import { statusWordOf } from './attempt.ts'
import { type DueDelivery, findDue } from './due-store.ts'
import type { AtWork } from './engine-parts.ts'
import { HealthNotes } from './health.ts'
import type { Wanted } from './held-lanes.ts'
import type { Lane } from './lane.ts'
import type { Recorded } from './record-store.ts'
import { Recorder } from './recorder.ts'
import { type Asked, deliverySender, failedInside, type Sent } from './send-delivery.ts'

/** Rendering and signing a few takes a millisecond; then others may have the event loop. */
const SEND_BATCH = 8
/**
 * Lanes that get one answer after the other must not turn each into a statement of its own: a row read with a hundred others
 * costs a third of what one costs that is read with a few.
 */
const FEW = 96
const GATHER_MS = 10
const AFTER_CUT_OFF_MS = 1_000
const RECORD_WITHIN_MS = 1_500

type Taken = { readonly lane: Lane; readonly delivery: DueDelivery }

/** Takes what is due out of the lanes, sends it, and has what came of it recorded. */
export class SendRounds {
  readonly #at: AtWork
  readonly #recorder: Recorder
  readonly #send: ReturnType<typeof deliverySender>
  readonly #cutOff = new AbortController()
  readonly health: HealthNotes
  #begun = Promise.resolve()
  /** Answers that the next round waits for, but not for long. */
  #awaited = 0

  constructor(at: AtWork) {
    this.#at = at
    this.#recorder = new Recorder(at.db, at.log)
    this.health = new HealthNotes(at.db)
    setMaxListeners(0, this.#cutOff.signal)
    this.#send = deliverySender({ ...at, world: at.db.world, signal: this.#cutOff.signal })
  }

  async round(): Promise<void> {
    const { db, lease, lanes, bells, settings } = this.#at
    const wanted = lanes.wanted()
    if (wanted.length === 0) return bells.send.wait(settings.idleMs)
    const due = await findDue(db, lease.owner, wanted)
    // Those of the round before were begun meanwhile: nobody waits for the database with something to send at hand.
    await this.#begun
    this.#begun = this.#begin(this.#takeUp(wanted, due))
    if (due.length < FEW) await this.#gather()
  }

  /** Until many slots are free, or half of those in use: whoever is served one by one must not run dry meanwhile. */
  async #gather(): Promise<void> {
    const { lanes, bells } = this.#at
    this.#awaited = Math.min(FEW, Math.ceil(lanes.underWay() / 2))
    await bells.gathered.wait(GATHER_MS)
  }

  /** In the same moment as it is known: a lane with nothing under way might be let go. Those that were are left out. */
  #takeUp(wanted: readonly Wanted[], due: readonly DueDelivery[]): Taken[] {
    const { lanes, clock } = this.#at
    const ofLane = Map.groupBy(due, ({ endpoint_id }) => endpoint_id)
    return wanted.flatMap(({ lane, count }) => {
      if (lanes.get(lane.endpoint) !== lane || !lane.isTaking()) return []
      const got = ofLane.get(lane.endpoint) ?? []
      lane.took(count, got, clock.now())
      return got.map((delivery) => ({ lane, delivery }))
    })
  }

  async #begin(taken: readonly Taken[]): Promise<void> {
    for (const [at, { lane, delivery }] of taken.entries()) {
      const { id, attempt, now } = delivery
      const asked = { id, attempt, now }
      void this.#deliver(lane, asked, this.#send(delivery, asked))
      if (at % SEND_BATCH === SEND_BATCH - 1) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async #deliver(lane: Lane, asked: Asked, sending: Promise<Sent>): Promise<void> {
    try {
      this.#sent(lane, await sending)
    } catch (error) {
      this.#failed(lane, asked, error)
    }
    const { send, gathered, quiet } = this.#at.bells
    this.#awaited -= 1
    if (this.#awaited === 0) gathered.ring()
    send.ring()
    quiet.ring()
  }

  #sent(lane: Lane, { recorded, outcome, pausedUntil }: Sent): void {
    const { db, metrics } = this.#at
    if (outcome === null) lane.gaveUp()
    else this.#heard(lane, outcome)
    if (pausedUntil !== null) lane.pause(pausedUntil)
    metrics.delivery(db.world, recorded.state, outcome === null ? 0 : outcome.durationMs / 1_000)
    this.#record(lane, recorded, () => {
      if (outcome !== null && isGone(outcome)) void this.#disable(lane)
    })
  }

  #heard(lane: Lane, outcome: Outcome): void {
    const succeeded = isSuccess(outcome)
    lane.answered(succeeded, outcome.durationMs)
    this.health.note(lane.endpoint, statusWordOf(outcome), succeeded)
  }

  /** Cut off, or a fault of ours: neither says anything about the receiver, whose health stays as it is. */
  #failed(lane: Lane, asked: Asked, error: unknown): void {
    const { db, random, metrics, log } = this.#at
    lane.gaveUp()
    // Whether it arrived before it was cut off is not known, so it stays in the queue.
    if (this.#cutOff.signal.aborted) return void lane.busy.delete(asked.id)
    // All of a lane meet the same, as a rule: the first tells of it.
    if (!lane.isToldBroken) {
      log.error(
        { world: db.world, endpoint: lane.endpoint, delivery: asked.id, err: error },
        'a delivery could not be sent',
      )
    }
    lane.isToldBroken = true
    metrics.delivery(db.world, 'internal', 0)
    this.#record(lane, failedInside(asked, random))
  }

  #record(lane: Lane, recorded: Recorded, then: () => void = () => {}): void {
    this.#recorder.record(recorded, () => {
      lane.busy.delete(recorded.id)
      this.#at.bells.send.ring()
      then()
    })
  }

  async #disable(lane: Lane): Promise<void> {
    lane.isHeld = false
    try {
      await this.#at.onGone(lane.endpoint)
    } catch (error) {
      // The next delivery to it will be told 410 as well.
      this.#at.log.error({ endpoint: lane.endpoint, err: error }, 'an endpoint that is gone could not be disabled')
    }
  }

  /** Lets what is under way finish, for so long, and has all of it recorded. */
  async drain(withinMs: number): Promise<void> {
    const { lanes, bells } = this.#at
    await this.#begun
    const until = performance.now() + withinMs
    while (lanes.underWay() > 0 && performance.now() < until) await bells.quiet.wait(until - performance.now())
    this.#cutOff.abort(new Error('the worker stops'))
    while (lanes.underWay() > 0) await bells.quiet.wait(AFTER_CUT_OFF_MS)
    // With the database away nothing can be written: whoever has the lanes next sends it again.
    await Promise.race([this.#recorder.drained(), wait(RECORD_WITHIN_MS, undefined, { ref: false })])
    await this.health.write()
  }
}

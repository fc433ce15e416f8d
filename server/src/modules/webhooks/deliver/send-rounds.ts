import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Outcome } from '#system/outbound/outcome.ts'
import { statusWordOf } from '../history/delivery.ts'
import { isGone, isSuccess } from '../retry-policy.ts'
import type { AtWork } from './engine-parts.ts'
import type { Wanted } from './held-lanes.ts'
import type { Lane } from './lane.ts'
import { type DueDelivery, findDue } from './lane-store.ts'
import { ParcelRounds } from './parcels/parcel-rounds.ts'
import { ParcelWriter } from './parcels/parcel-writer.ts'
import { HealthNotes, Recorder } from './recorder.ts'
import { deliverySender, failedInside, letterOf, type Sent, type Taken } from './send-delivery.ts'
import type { Recorded } from './store.ts'

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

/** Takes what is due out of the lanes, sends it, and has what came of it recorded. */
export class SendRounds {
  readonly #at: AtWork
  readonly #recorder: Recorder
  readonly #send: ReturnType<typeof deliverySender>
  readonly #cutOff = new AbortController()
  readonly health: HealthNotes
  readonly #clerk: ParcelWriter
  readonly #parcels: ParcelRounds
  #begun = Promise.resolve()
  /** Answers that the next round waits for, but not for long. */
  #awaited = 0

  constructor(at: AtWork) {
    this.#at = at
    this.#recorder = new Recorder(at.db, at.log)
    this.#clerk = new ParcelWriter(at, this.#recorder)
    this.#parcels = new ParcelRounds(at, this.#clerk)
    this.health = new HealthNotes(at.db)
    setMaxListeners(0, this.#cutOff.signal)
    this.#send = deliverySender({ ...at, signal: this.#cutOff.signal })
  }

  async round(): Promise<void> {
    const { lanes, bells, settings } = this.#at
    const wanted = lanes.wanted()
    if (wanted.length === 0) return bells.send.wait(settings.idleMs)
    const searches = this.#parcels.searches(wanted)
    const [taken, found] = await Promise.all([this.#take(divided(wanted)), this.#parcels.find(searches)])
    this.#parcels.found(searches, found)
    // What was found is at hand, and taken up with the next.
    if (taken < FEW && found.length === 0) await this.#gather()
  }

  /** Begun as soon as it is read, whatever else is looked for: who may have it was true at that moment. Says how many. */
  async #take({ rows, members }: Divided): Promise<number> {
    const { db, lease } = this.#at
    const [due, read] = await Promise.all([
      rows.length === 0 ? [] : findDue(db, lease.owner, rows),
      members.length === 0 ? null : this.#parcels.read(members),
    ])
    // Those of the round before were begun meanwhile: nobody waits for the database with something to send at hand.
    await this.#begun
    const taken = [...this.#takeUp(rows, due), ...(read === null ? [] : this.#parcels.takeUp(read))]
    this.#begun = this.#begin(taken)
    return taken.length
  }

  /** Until many slots are free, or half of those in use: whoever is served one by one must not run dry meanwhile. */
  async #gather(): Promise<void> {
    const { lanes, bells } = this.#at
    this.#awaited = Math.min(FEW, Math.ceil(lanes.underWay() / 2))
    await bells.gathered.wait(GATHER_MS)
  }

  /** In the same moment as it is known: a lane with nothing under way might be let go. Those that were are left out. */
  #takeUp(wanted: readonly Wanted[], due: readonly DueDelivery[]): Taken[] {
    const { lanes, clock, db } = this.#at
    const ofLane = Map.groupBy(due, ({ endpoint_id }) => endpoint_id)
    return wanted.flatMap(({ lane, count }) => {
      if (lanes.get(lane.endpoint) !== lane || !lane.isTaking()) return []
      const got = ofLane.get(lane.endpoint) ?? []
      lane.took(count, got, clock.now())
      return got.map((delivery): Taken => {
        const { id, attempt, now } = delivery
        return { lane, asked: { id, attempt, now }, parcel: null, letter: () => letterOf(delivery, db.world) }
      })
    })
  }

  async #begin(taken: readonly Taken[]): Promise<void> {
    for (const [at, { letter, ...one }] of taken.entries()) {
      void this.#deliver(one, this.#send(one.asked, letter))
      if (at % SEND_BATCH === SEND_BATCH - 1) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async #deliver(one: UnderWay, sending: Promise<Sent>): Promise<void> {
    try {
      this.#sent(one, await sending)
    } catch (error) {
      this.#failed(one, error)
    }
    const { send, gathered, quiet } = this.#at.bells
    this.#awaited -= 1
    if (this.#awaited === 0) gathered.ring()
    send.ring()
    quiet.ring()
  }

  #sent({ lane, parcel }: UnderWay, { recorded, outcome, pausedUntil }: Sent): void {
    const { db, metrics } = this.#at
    if (outcome === null) lane.gaveUp()
    else this.#heard(lane, outcome)
    if (pausedUntil !== null) lane.pause(pausedUntil)
    metrics.delivery(db.world, recorded.state, outcome === null ? 0 : outcome.durationMs / 1_000)
    this.#record({ lane, parcel }, recorded, () => {
      if (outcome !== null && isGone(outcome)) void this.#disable(lane)
    })
  }

  #heard(lane: Lane, outcome: Outcome): void {
    const succeeded = isSuccess(outcome)
    lane.answered(succeeded, outcome.durationMs)
    this.health.note(lane.endpoint, statusWordOf(outcome), succeeded)
  }

  /** Cut off, or a fault of ours: neither says anything about the receiver, whose health stays as it is. */
  #failed({ lane, asked, parcel }: UnderWay, error: unknown): void {
    const { db, random, metrics, log } = this.#at
    lane.gaveUp()
    // Whether it arrived before it was cut off is not known, so it stays in the queue.
    if (this.#cutOff.signal.aborted) {
      if (parcel !== null) this.#clerk.open({ lane, parcel })
      return void lane.busy.delete(asked.id)
    }
    // All of a lane meet the same, as a rule: the first tells of it.
    if (!lane.isToldBroken) {
      log.error(
        { world: db.world, endpoint: lane.endpoint, delivery: asked.id, err: error },
        'a delivery could not be sent',
      )
    }
    lane.isToldBroken = true
    metrics.delivery(db.world, 'internal', 0)
    this.#record({ lane, parcel }, failedInside(asked, random))
  }

  #record({ lane, parcel }: Pick<Taken, 'lane' | 'parcel'>, recorded: Recorded, then: () => void = () => {}): void {
    const done = () => {
      lane.busy.delete(recorded.id)
      this.#at.bells.send.ring()
      then()
    }
    if (parcel === null) this.#recorder.record(recorded, done)
    else this.#clerk.ended({ lane, parcel }, { recorded, done })
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
    for (const lane of lanes.all()) {
      for (const parcel of lane.parcels.giveBack()) this.#clerk.open({ lane, parcel })
    }
    // With the database away nothing can be written: whoever has the lanes next sends it again.
    await Promise.race([this.#recorded(), wait(RECORD_WITHIN_MS, undefined, { ref: false })])
    await this.health.write()
  }

  /** What is known of parcels that have to be opened is recorded after that. */
  async #recorded(): Promise<void> {
    await this.#clerk.drained()
    await this.#recorder.drained()
  }
}

/** What is told of it once it was sent: not what it said, which is long gone by then. */
type UnderWay = Omit<Taken, 'letter'>

type Divided = { readonly rows: readonly Wanted[]; readonly members: readonly Wanted[] }

/**
 * Of each lane what lies in parcels or what lies in the queue, and never both at once: a parcel that somebody opens just then
 * would be found in both. In turns, where there is of both.
 */
function divided(wanted: readonly Wanted[]): Divided {
  const [rows, members]: [Wanted[], Wanted[]] = [[], []]
  for (const one of wanted) {
    const source = one.lane.nextSource()
    if (source === 'queue') rows.push(one)
    if (source === 'parcels') members.push(one)
  }
  return { rows, members }
}

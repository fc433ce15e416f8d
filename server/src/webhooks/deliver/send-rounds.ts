import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { timeOfId } from '#kernel/ids.ts'
import type { Outcome } from '#system/outbound/outcome.ts'
import type { Recorded } from '../history/delivery.ts'
import { statusWordOf } from '../history/delivery.ts'
import { isGone, isSuccess } from '../retry-policy.ts'
import { DeliveryBatchRounds } from './batches/batch-rounds.ts'
import { DeliveryBatchWriter } from './batches/batch-writer.ts'
import type { AtWork } from './engine-parts.ts'
import type { Lane } from './lane.ts'
import type { Wanted } from './leased-lanes.ts'
import { HealthNotes, Recorder } from './recorder.ts'
import { deliverySender, failedInside, payloadOf, type Sent, type Taken } from './send-delivery.ts'
import { type DueDelivery, findDue } from './store.ts'

/** Rendering and signing this many deliveries takes a millisecond. After them the event loop runs other work. */
const SEND_BATCH = 8
/**
 * Reading a row together with a hundred others takes a third of the time that reading it alone takes. So after a round
 * that took fewer rows than this, the engine waits for more answers before it reads again.
 */
const ROWS_PER_READ = 96
const GATHER_MS = 10
const AFTER_CUT_OFF_MS = 1_000
const RECORD_WITHIN_MS = 1_500

/** Takes due deliveries from the lanes, sends them, and passes the outcomes to the recorder. */
export class SendRounds {
  readonly #at: AtWork
  readonly #recorder: Recorder
  readonly #send: ReturnType<typeof deliverySender>
  readonly #cutOff = new AbortController()
  readonly health: HealthNotes
  readonly #deliveryBatchWriter: DeliveryBatchWriter
  readonly #deliveryBatches: DeliveryBatchRounds
  #begun = Promise.resolve()
  /** How many answers the next round waits for, for at most GATHER_MS. */
  #awaited = 0

  constructor(at: AtWork) {
    this.#at = at
    this.#recorder = new Recorder(at.db, at.log)
    this.#deliveryBatchWriter = new DeliveryBatchWriter(at, this.#recorder)
    this.#deliveryBatches = new DeliveryBatchRounds(at, this.#deliveryBatchWriter)
    this.health = new HealthNotes(at.db)
    setMaxListeners(0, this.#cutOff.signal)
    this.#send = deliverySender({ ...at, signal: this.#cutOff.signal })
  }

  async round(): Promise<void> {
    const { lanes, signals, settings } = this.#at
    const wanted = lanes.wanted()
    if (wanted.length === 0) {
      await signals.send.wait(settings.idleMs)
      return
    }
    const searches = this.#deliveryBatches.searches(wanted)
    const [taken, found] = await Promise.all([this.#take(divided(wanted)), this.#deliveryBatches.find(searches)])
    this.#deliveryBatches.found(searches, found)
    // Found delivery batches are sent in the next round, which must not wait.
    if (taken < ROWS_PER_READ && found.length === 0) await this.#gather()
  }

  /**
   * Starts deliveries as soon as they are read, because that read checked the rights of their receivers. Returns the
   * number of deliveries.
   */
  async #take({ rows, members }: Divided): Promise<number> {
    const { db, lease } = this.#at
    const [due, read] = await Promise.all([
      rows.length === 0 ? [] : findDue(db, lease.owner, rows),
      members.length === 0 ? null : this.#deliveryBatches.read(members),
    ])
    // The deliveries of the last round are started while this round reads.
    await this.#begun
    const taken = [...this.#startable(rows, due), ...(read === null ? [] : this.#deliveryBatches.startable(read))]
    this.#begun = this.#begin(taken)
    return taken.length
  }

  /**
   * Waits for ROWS_PER_READ answers, or for half of the requests in progress if that is less: otherwise a small load
   * would leave most slots unused.
   */
  async #gather(): Promise<void> {
    const { lanes, signals } = this.#at
    this.#awaited = Math.min(ROWS_PER_READ, Math.ceil(lanes.underWay() / 2))
    await signals.gathered.wait(GATHER_MS)
  }

  /**
   * This function must not contain `await`: during a wait, an idle lane could be released. Skips lanes that were
   * released during the read.
   */
  #startable(wanted: readonly Wanted[], due: readonly DueDelivery[]): Taken[] {
    const { lanes, clock, db } = this.#at
    const ofLane = Map.groupBy(due, ({ endpoint_id }) => endpoint_id)
    return wanted.flatMap(({ lane, count }) => {
      if (lanes.get(lane.endpoint) !== lane || !lane.isTaking()) return []
      const got = ofLane.get(lane.endpoint) ?? []
      lane.took(count, got, clock.now())
      return got.map((delivery): Taken => {
        const { id, attempt, now } = delivery
        return {
          lane,
          requested: { id, attempt, now },
          deliveryBatch: null,
          payload: () => payloadOf(delivery, db.world),
        }
      })
    })
  }

  async #begin(taken: readonly Taken[]): Promise<void> {
    for (const [at, { payload, ...one }] of taken.entries()) {
      void this.#deliver(one, this.#send(one.requested, payload))
      if (at % SEND_BATCH === SEND_BATCH - 1) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async #deliver(one: UnderWay, sending: Promise<Sent>): Promise<void> {
    try {
      this.#sent(one, await sending)
    } catch (error) {
      this.#failed(one, error)
    }
    const { send, gathered, quiet } = this.#at.signals
    this.#awaited -= 1
    if (this.#awaited === 0) gathered.wake()
    send.wake()
    quiet.wake()
  }

  #sent({ lane, requested, deliveryBatch }: UnderWay, { recorded, outcome, pausedUntil }: Sent): void {
    const { db, metrics } = this.#at
    if (outcome === null) lane.gaveUp()
    else this.#recordOutcome(lane, requested, outcome)
    if (pausedUntil !== null) lane.pause(pausedUntil)
    metrics.delivery(db.world, recorded.state, outcome === null ? 0 : outcome.durationMs / 1_000)
    this.#record({ lane, deliveryBatch }, recorded, () => {
      if (outcome !== null && isGone(outcome)) void this.#disable(lane)
    })
  }

  #recordOutcome(lane: Lane, { id, attempt }: Taken['requested'], outcome: Outcome): void {
    const succeeded = isSuccess(outcome)
    lane.answered(succeeded, outcome.durationMs)
    const lagMs = attempt === 0 ? this.#at.clock.now() - outcome.durationMs - timeOfId(id) : null
    this.health.note(lane.endpoint, { status: statusWordOf(outcome), succeeded, lagMs })
  }

  /** Called if a request was aborted or an internal error prevented it. The endpoint's health does not change. */
  #failed({ lane, requested, deliveryBatch }: UnderWay, error: unknown): void {
    const { db, random, metrics, log } = this.#at
    lane.gaveUp()
    // The delivery stays in the queue and is sent again. The receiver may get it twice, if the request arrived before
    // the abort.
    if (this.#cutOff.signal.aborted) {
      if (deliveryBatch !== null) this.#deliveryBatchWriter.open({ lane, deliveryBatch })
      return void lane.busy.delete(requested.id)
    }
    // All deliveries of a lane usually fail for the same reason, so only the first failure is logged.
    if (!lane.isErrorLogged) {
      log.error(
        { world: db.world, endpoint: lane.endpoint, delivery: requested.id, err: error },
        'a delivery could not be sent',
      )
    }
    lane.isErrorLogged = true
    metrics.delivery(db.world, 'internal', 0)
    this.#record({ lane, deliveryBatch }, failedInside(requested, random))
  }

  #record(
    { lane, deliveryBatch }: Pick<Taken, 'lane' | 'deliveryBatch'>,
    recorded: Recorded,
    then: () => void = () => {},
  ): void {
    const done = () => {
      lane.busy.delete(recorded.id)
      this.#at.signals.send.wake()
      then()
    }
    if (deliveryBatch === null) this.#recorder.record(recorded, done)
    else this.#deliveryBatchWriter.ended({ lane, deliveryBatch }, { recorded, done })
  }

  async #disable(lane: Lane): Promise<void> {
    lane.isLeased = false
    try {
      await this.#at.onGone(lane.endpoint)
    } catch (error) {
      // The endpoint stays enabled: it will answer the next delivery with 410 too, and this function runs again.
      this.#at.log.error({ endpoint: lane.endpoint, err: error }, 'an endpoint that answered 410 could not be disabled')
    }
  }

  /** Waits for requests in progress, aborts them after `withinMs`, and records all outcomes. */
  async drain(withinMs: number): Promise<void> {
    const { lanes, signals } = this.#at
    await this.#begun
    const until = performance.now() + withinMs
    while (lanes.underWay() > 0 && performance.now() < until) await signals.quiet.wait(until - performance.now())
    this.#cutOff.abort(new Error('the worker stops'))
    while (lanes.underWay() > 0) await signals.quiet.wait(AFTER_CUT_OFF_MS)
    for (const lane of lanes.all()) {
      for (const deliveryBatch of lane.deliveryBatches.giveBack())
        this.#deliveryBatchWriter.open({ lane, deliveryBatch })
    }
    // If the database is down, these outcomes cannot be recorded, and the next worker sends the deliveries again.
    await Promise.race([this.#recorded(), wait(RECORD_WITHIN_MS, undefined, { ref: false })])
    await this.health.write()
  }

  /** Waits for delivery batches first, because the outcomes of an opened delivery batch are passed to the recorder. */
  async #recorded(): Promise<void> {
    await this.#deliveryBatchWriter.drained()
    await this.#recorder.drained()
  }
}

/** A delivery in progress, without its payload, which is released after sending. */
type UnderWay = Omit<Taken, 'payload'>

type Divided = { readonly rows: readonly Wanted[]; readonly members: readonly Wanted[] }

/**
 * In one round each lane takes either members of delivery batches or rows of the queue. Otherwise both reads could find
 * the members of a delivery batch that is opened between them. A lane that has both alternates.
 */
function divided(wanted: readonly Wanted[]): Divided {
  const [rows, members]: [Wanted[], Wanted[]] = [[], []]
  for (const one of wanted) {
    const source = one.lane.nextSource()
    if (source === 'queue') rows.push(one)
    if (source === 'deliveryBatches') members.push(one)
  }
  return { rows, members }
}

import type { Id } from '#kernel/ids.ts'
import { LaneDeliveryBatches } from './batches/delivery-batch.ts'
import { DELIVERY_BATCH_MAX, SLOTS_MAX, slotsAfter } from './settings.ts'

/** An answer that takes longer than this occupies a slot that other lanes need. */
const QUICK_MS = 1_000

/**
 * The maximum of busy deliveries per lane. A quick lane must never wait for the database. So the maximum is larger than
 * the number of deliveries that a lane can finish while one batch of outcomes is collected and another is written. The
 * members of a delivery batch stay busy until the whole batch is recorded, and two batches can wait for that at once.
 */
const BUSY_MAX = 4 * SLOTS_MAX + 2 * DELIVERY_BATCH_MAX

/**
 * How fast the receiver is. `quick`: its last answer was a success within a second; `slow`: any other last answer;
 * `unknown`: no answer yet.
 */
export type Pace = 'quick' | 'slow' | 'unknown'

/**
 * An endpoint's lane in the memory of the worker that leased it. `busy` are the deliveries that must not be taken again:
 * those in progress, and those whose outcome is not recorded yet.
 */
export class Lane {
  readonly endpoint: Id<'webhookEndpoint'>
  readonly busy = new Set<Id<'delivery'>>()
  /**
   * False once another worker may have the lease, or the endpoint is disabled. Then no more deliveries are taken, but
   * outcomes are still recorded.
   */
  isLeased = true
  /** No more deliveries are taken; the lane is released once all outcomes are recorded. */
  isLeaving = false
  /** Whether the queue may contain due deliveries that were not read yet. */
  mayHaveMore = true
  readonly deliveryBatches = new LaneDeliveryBatches()
  #rowsAreDue = false
  reading: Reading
  slots: number
  pace: Pace = 'unknown'
  underWay = 0
  #tookDeliveryBatches = false
  lastWorkMs: number
  /** Set once an internal error that blocks the lane's deliveries has been logged. */
  isErrorLogged = false
  /** The receiver requested a pause until this world time. After it the lane starts with one slot. */
  pausedUntil: string | null = null

  constructor(leased: LeasedLane, nowMs: number) {
    this.endpoint = leased.endpoint_id
    this.slots = leased.slots
    this.reading = new Reading(leased.by_id)
    this.lastWorkMs = nowMs
  }

  /** The same worker leased the lane again, and may still have outcomes to record. */
  leasedAgain(leased: LeasedLane): void {
    this.isLeased = true
    this.mayHaveMore = true
    this.deliveryBatches.mayHaveMore = true
    this.slots = leased.slots
    this.reading = new Reading(leased.by_id)
  }

  /**
   * How many requests the lane may start now. Outcomes that are not recorded count too, because they would pile up
   * while the database is down.
   */
  freeSlots(): number {
    if (!this.isTaking() || !this.#mayFindWork()) return 0
    return Math.max(0, Math.min(this.slots - this.underWay, BUSY_MAX - this.busy.size))
  }

  #mayFindWork(): boolean {
    return this.mayHaveMore || this.deliveryBatches.mayHaveMore || this.deliveryBatches.left() > 0
  }

  /** Whether the lane is healthy and at full speed. Only such lanes use delivery batches. */
  isResponsive(): boolean {
    return this.isTaking() && this.slots === SLOTS_MAX && this.pace !== 'slow' && !this.reading.place.sweeping
  }

  /**
   * Where the lane takes its next deliveries from. Null if there are no deliveries to take, and while a sweeping lane
   * waits until its delivery batches are opened.
   */
  nextSource(): 'queue' | 'deliveryBatches' | null {
    if (this.reading.place.sweeping && !this.deliveryBatches.isEmpty()) return null
    const isTurn =
      this.isResponsive() &&
      this.deliveryBatches.left() > 0 &&
      !(this.#rowsAreDue && this.mayHaveMore && this.#tookDeliveryBatches)
    this.#tookDeliveryBatches = isTurn
    if (isTurn) return 'deliveryBatches'
    return this.mayHaveMore ? 'queue' : null
  }

  began(delivery: Id<'delivery'>, nowMs: number): void {
    this.busy.add(delivery)
    this.underWay += 1
    this.lastWorkMs = nowMs
  }

  answered(succeeded: boolean, tookMs: number): void {
    this.underWay -= 1
    // Answers to requests from before the pause must not add slots after it.
    this.slots = this.pausedUntil !== null ? 1 : slotsAfter(this.slots, succeeded)
    this.pace = succeeded && tookMs < QUICK_MS ? 'quick' : 'slow'
  }

  /**
   * Called when a delivery was canceled before its request, or when a request was aborted or prevented by an internal
   * error. The pace and the slots of the lane do not change.
   */
  gaveUp(): void {
    this.underWay -= 1
  }

  pause(until: string): void {
    this.isLeaving = true
    if (this.pausedUntil === null || until > this.pausedUntil) this.pausedUntil = until
  }

  isTaking(): boolean {
    return this.isLeased && !this.isLeaving
  }

  /** Marks the deliveries that were read for this lane as started. */
  took(wanted: number, got: readonly Placed[], nowMs: number): void {
    this.mayHaveMore = this.reading.served(wanted, got)
    for (const { id } of got) this.began(id, nowMs)
  }

  /**
   * Called when there may be new deliveries. Fan-out makes no delivery batches for a sweeping lane, so such a lane does
   * not search for them.
   */
  expectMore(): void {
    this.hasMoreRows()
    if (!this.reading.place.sweeping) this.deliveryBatches.mayHaveMore = true
  }

  hasMoreRows(): void {
    this.mayHaveMore = true
    this.reading.fromBeginning()
  }

  /**
   * Whether the query for delivery batches should also report due rows of the queue. A separate query is expensive, and
   * a lane with delivery batches seldom has such rows, so they may wait for one turn of delivery batches. Clears
   * mayHaveMore before the query, so that a wake-up during the query is not lost.
   */
  takeRowCheck(): boolean {
    const wanted = this.mayHaveMore
    this.mayHaveMore = false
    return wanted
  }

  /** Called with the result of the query if `takeRowCheck` returned true. */
  applyRowCheck(due: boolean): void {
    this.#rowsAreDue = due
    this.mayHaveMore ||= due
  }

  /** How many slots of the shared pool the lane uses. Its first request uses its own slot. */
  shared(): number {
    return Math.max(0, this.underWay - 1)
  }

  isIdle(): boolean {
    return this.busy.size === 0 && !(this.isTaking() && this.#mayFindWork())
  }
}

export type LeasedLane = {
  readonly endpoint_id: Id<'webhookEndpoint'>
  readonly slots: number
  readonly by_id: boolean
}

/** A place in the order in which a lane is read: by id while it is swept, otherwise by due time and id. */
export type Placed = { readonly id: Id<'delivery'>; readonly due_at: string }

type Place = { readonly after: string; readonly due_after: string }

const BEGINNING: Place = { after: '', due_after: '-infinity' }

/**
 * How far a lane has been read. A re-enabled lane is swept once: all its deliveries are read by id, oldest first,
 * whatever their due times. Reading continues after the last delivery that was taken, because otherwise PostgreSQL
 * would have to skip all dead rows before that delivery. Rows that were committed late, or whose due time became
 * earlier, are before that place. So reading starts from the beginning again after the last row, and at each poll.
 */
export class Reading {
  #isSweeping: boolean
  #hasSwept = false
  #place = BEGINNING

  constructor(isSweeping: boolean) {
    this.#isSweeping = isSweeping
  }

  get hasSwept(): boolean {
    return this.#hasSwept
  }

  get place(): Place & { readonly sweeping: boolean } {
    return { sweeping: this.#isSweeping, ...this.#place }
  }

  fromBeginning(): void {
    if (!this.#isSweeping) this.#place = BEGINNING
  }

  /**
   * Called with the number of rows that a query requested and the rows that it returned. Returns whether there may be
   * more rows.
   */
  served(wanted: number, got: readonly Placed[]): boolean {
    const last = got.reduce<Placed | null>(
      (before, one) => (before && !this.#isAfter(one, before) ? before : one),
      null,
    )
    if (got.length === wanted && last !== null) {
      this.#place = { after: last.id, due_after: last.due_at }
      return true
    }
    const wasWhole = !this.#isSweeping && this.#place === BEGINNING
    this.#hasSwept ||= this.#isSweeping
    this.#isSweeping = false
    this.#place = BEGINNING
    return !wasWhole
  }

  #isAfter(one: Placed, other: Placed): boolean {
    if (this.#isSweeping || one.due_at === other.due_at) return one.id > other.id
    return one.due_at > other.due_at
  }
}

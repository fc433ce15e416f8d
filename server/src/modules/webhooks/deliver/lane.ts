import type { Id } from '#kernel/ids.ts'
import { LaneParcels } from './parcels/parcel.ts'
import { PARCEL_MAX, SLOTS_MAX, slotsAfter } from './settings.ts'

/** An answer that takes longer has a slot for so long that others would miss it. */
const QUICK_MS = 1_000

/**
 * More than can be answered while one batch of outcomes is gathered and the next is written: a quick lane never waits for
 * that. Of a parcel all wait for the last, and for those of the one before.
 */
const BUSY_MAX = 4 * SLOTS_MAX + 2 * PARCEL_MAX

/** By the last answer: a success within a second, anything else, or none yet. */
export type Pace = 'quick' | 'slow' | 'unknown'

/**
 * An endpoint's lane as its owner knows it. `busy` are the deliveries that nobody may take up again: those under way,
 * and those whose outcome is known here and not yet recorded.
 */
export class Lane {
  readonly endpoint: Id<'webhookEndpoint'>
  readonly busy = new Set<Id<'delivery'>>()
  /** False once somebody else may have it: nothing more is taken from it, what is under way is still recorded. */
  isHeld = true
  /** Nothing more is taken from it, either: it is let go once what is under way is recorded. */
  isLeaving = false
  /** There may be something to send that was not seen yet. */
  isHungry = true
  readonly parcels = new LaneParcels()
  #rowsAreDue = false
  reading: Reading
  slots: number
  pace: Pace = 'unknown'
  underWay = 0
  #tookParcels = false
  lastWorkMs: number
  /** It was told of that something of ours keeps its deliveries from being sent. */
  isToldBroken = false
  /** World time: the receiver asked for nothing more before. Whoever has the lane after that begins with one. */
  pausedUntil: string | null = null

  constructor(leased: LeasedLane, nowMs: number) {
    this.endpoint = leased.endpoint_id
    this.slots = leased.slots
    this.reading = new Reading(leased.by_id)
    this.lastWorkMs = nowMs
  }

  /** It was leased again by the same worker, which may still have something of it to record. */
  heldAgain(leased: LeasedLane): void {
    this.isHeld = true
    this.isHungry = true
    this.parcels.isHungry = true
    this.slots = leased.slots
    this.reading = new Reading(leased.by_id)
  }

  /** How many it could send now. Outcomes that wait for the database count too, or they would pile up while it is away. */
  freeSlots(): number {
    if (!this.isTaking() || !this.#hasAppetite()) return 0
    return Math.max(0, Math.min(this.slots - this.underWay, BUSY_MAX - this.busy.size))
  }

  #hasAppetite(): boolean {
    return this.isHungry || this.parcels.isHungry || this.parcels.left() > 0
  }

  /** Nothing but success is to be expected: what goes to it together goes well together. */
  isBrisk(): boolean {
    return this.isTaking() && this.slots === SLOTS_MAX && this.pace !== 'slow' && !this.reading.place.sweeping
  }

  /** Where it takes what it sends next; null while it has to wait until its parcels are opened. */
  nextSource(): 'queue' | 'parcels' | null {
    if (this.reading.place.sweeping && !this.parcels.isEmpty()) return null
    const isTurn =
      this.isBrisk() && this.parcels.left() > 0 && !(this.#rowsAreDue && this.isHungry && this.#tookParcels)
    this.#tookParcels = isTurn
    if (isTurn) return 'parcels'
    return this.isHungry ? 'queue' : null
  }

  began(delivery: Id<'delivery'>, nowMs: number): void {
    this.busy.add(delivery)
    this.underWay += 1
    this.lastWorkMs = nowMs
  }

  answered(succeeded: boolean, tookMs: number): void {
    this.underWay -= 1
    // What was under way when a pause began says nothing about the time after it.
    this.slots = this.pausedUntil !== null ? 1 : slotsAfter(this.slots, succeeded)
    this.pace = succeeded && tookMs < QUICK_MS ? 'quick' : 'slow'
  }

  /** Given up without an outcome, which says nothing about the receiver. */
  gaveUp(): void {
    this.underWay -= 1
  }

  pause(until: string): void {
    this.isLeaving = true
    if (this.pausedUntil === null || until > this.pausedUntil) this.pausedUntil = until
  }

  /** It may still take up what was found for it. */
  isTaking(): boolean {
    return this.isHeld && !this.isLeaving
  }

  /** It wanted so many, and took up these. */
  took(wanted: number, got: readonly Placed[], nowMs: number): void {
    this.isHungry = this.reading.served(wanted, got)
    for (const { id } of got) this.began(id, nowMs)
  }

  /** There may be something new. Not in parcels, while it sweeps: none are made for such a lane, and each look is a wait. */
  makeHungry(): void {
    this.hasMoreRows()
    if (!this.reading.place.sweeping) this.parcels.isHungry = true
  }

  /** In the queue, at least. */
  hasMoreRows(): void {
    this.isHungry = true
    this.reading.fromBeginning()
  }

  /**
   * Whether a look at its parcels is to tell, besides, what is due in the queue. A look at that alone is dear, and seldom of use to
   * a lane with parcels at hand; so what has become due there waits for one turn of these at most. What is told to be new from
   * here on is not what was looked for, and stays to be.
   */
  looksAtRows(): boolean {
    const looks = this.isHungry
    this.isHungry = false
    return looks
  }

  /** What such a look has told. */
  sawRows(due: boolean): void {
    this.#rowsAreDue = due
    this.isHungry ||= due
  }

  /** What it took beyond the one slot that every lane has. */
  shared(): number {
    return Math.max(0, this.underWay - 1)
  }

  /** Nothing to send, nothing to record. */
  isIdle(): boolean {
    return this.busy.size === 0 && !(this.isTaking() && this.#hasAppetite())
  }
}

export type LeasedLane = {
  readonly endpoint_id: Id<'webhookEndpoint'>
  readonly slots: number
  readonly by_id: boolean
}

/** By what a lane is read: by id while it sweeps, by when each is due and then by id otherwise. */
export type Placed = { readonly id: Id<'delivery'>; readonly due_at: string }

type Place = { readonly after: string; readonly due_after: string }

const BEGINNING: Place = { after: '', due_after: '-infinity' }

/**
 * How far a lane has been read. One that was enabled again is swept once: by id, from the oldest on, whatever time each is
 * due. It is read on from what was taken last: before that lies what is done, and PostgreSQL would have to walk over the
 * remains of it. What was committed late or put forward stands before that, too, so at the end it is read from the
 * beginning once more, and every now and then in between.
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

  /** So many were wanted, and these were there. Says whether there may be more. */
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

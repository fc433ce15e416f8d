import type { Version } from '#http/versions.ts'
import type { Id } from '#kernel/ids.ts'
import type { Recorded } from '../store.ts'

export type Member = {
  readonly id: Id<'delivery'>
  readonly event: Id<'event'>
  readonly installation: Id<'installation'> | null
}

/** The outcome of a member; `done` is called once it is recorded. */
export type Known = { readonly recorded: Recorded; readonly done: () => void }

type Watch = { readonly silence: NodeJS.Timeout; readonly untilMs: number }

/**
 * A parcel in the memory of the worker that leased its lane.
 * whole     all members are recorded at once
 * opening   outcomes wait until the members are rows
 * open      the parcel is deleted, and each member is a row of the queue
 */
export class Parcel {
  readonly id: Id<'delivery'>
  readonly version: Version
  readonly members: readonly Member[]
  readonly known: Known[] = []
  state: 'whole' | 'recorded' | 'opening' | 'open' = 'whole'
  /** While it is in progress: the timers that open it. */
  watch: Watch | null = null
  #begun = 0

  constructor(id: Id<'delivery'>, version: Version, members: readonly Member[]) {
    this.id = id
    this.version = version
    this.members = members
  }

  get isBegun(): boolean {
    return this.#begun > 0
  }

  /** How many members may still be started; 0 once it is opened. */
  left(): number {
    return this.state === 'whole' ? this.members.length - this.#begun : 0
  }

  next(count: number): readonly Member[] {
    return this.state === 'whole' ? this.members.slice(this.#begun, this.#begun + count) : []
  }

  began(): void {
    this.#begun += 1
  }

  /** Called at each answer: restarts the silence timer and returns whether the parcel is past its deadline. */
  isOverdue(nowMs: number): boolean {
    this.watch?.silence.refresh()
    return this.watch !== null && nowMs > this.watch.untilMs
  }

  unwatch(): void {
    clearTimeout(this.watch?.silence)
  }

  /** Whether all members were delivered. */
  isDone(): boolean {
    const isAll = this.state === 'whole' && this.known.length === this.members.length
    return isAll && this.known.every(({ recorded }) => recorded.state === 'delivered')
  }
}

export type Taking = { readonly parcel: Parcel; readonly members: readonly Member[] }

/** The parcels of one lane in the worker's memory: to be sent, in progress, or not yet recorded. */
export class LaneParcels {
  readonly #inHand = new Map<Id<'delivery'>, Parcel>()
  /** There may be parcels that were not read yet. */
  isHungry = true

  ids(): readonly Id<'delivery'>[] {
    return [...this.#inHand.keys()]
  }

  all(): readonly Parcel[] {
    return [...this.#inHand.values()]
  }

  add(parcel: Parcel): void {
    this.#inHand.set(parcel.id, parcel)
  }

  drop(parcel: Parcel): void {
    this.#inHand.delete(parcel.id)
  }

  /** No parcels in memory and none left to read. */
  isEmpty(): boolean {
    return !this.isHungry && this.#inHand.size === 0
  }

  /** How many members may still be started. */
  left(): number {
    let left = 0
    for (const parcel of this.#inHand.values()) left += parcel.left()
    return left
  }

  /** At most `count` members, oldest parcel first. */
  next(count: number): readonly Taking[] {
    const taking: Taking[] = []
    let wanted = count
    for (const parcel of this.#inHand.values()) {
      if (wanted === 0) break
      const members = parcel.next(wanted)
      if (members.length === 0) continue
      taking.push({ parcel, members })
      wanted -= members.length
    }
    return taking
  }

  /** Drops parcels that were not started, to be read again later. Returns the partly started ones, which must be opened. */
  giveBack(): readonly Parcel[] {
    const left = this.all().filter((parcel) => parcel.left() > 0)
    for (const parcel of left) if (!parcel.isBegun) this.drop(parcel)
    return left.filter(({ isBegun }) => isBegun)
  }
}

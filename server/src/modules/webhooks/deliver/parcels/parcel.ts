import type { Version } from '#http/versions.ts'
import type { Id } from '#kernel/ids.ts'
import type { Recorded } from '../store.ts'

export type Member = {
  readonly id: Id<'delivery'>
  readonly event: Id<'event'>
  readonly installation: Id<'installation'> | null
}

/** What came of a member; `done` is called once that is on record. */
export type Known = { readonly recorded: Recorded; readonly done: () => void }

type Watch = { readonly silence: NodeJS.Timeout; readonly untilMs: number }

/**
 * A parcel as the owner of its lane knows it. Whole, it is recorded with all its members at once; while it is being opened,
 * what is known of them waits; open, it is gone and each of them is a row of the queue.
 */
export class Parcel {
  readonly id: Id<'delivery'>
  readonly version: Version
  readonly members: readonly Member[]
  readonly known: Known[] = []
  state: 'whole' | 'recorded' | 'opening' | 'open' = 'whole'
  /** While it is under way: what ends its being waited for. */
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

  /** Those that may still be begun: none of one that is opened, where each will be a row. */
  left(): number {
    return this.state === 'whole' ? this.members.length - this.#begun : 0
  }

  /** The first so many of them. */
  next(count: number): readonly Member[] {
    return this.state === 'whole' ? this.members.slice(this.#begun, this.#begun + count) : []
  }

  began(): void {
    this.#begun += 1
  }

  /** Something was heard of one of them. Says whether that should have been all by now. */
  isOverdue(nowMs: number): boolean {
    this.watch?.silence.refresh()
    return this.watch !== null && nowMs > this.watch.untilMs
  }

  unwatch(): void {
    clearTimeout(this.watch?.silence)
  }

  /** Whether all of it was delivered. */
  isDone(): boolean {
    const isAll = this.state === 'whole' && this.known.length === this.members.length
    return isAll && this.known.every(({ recorded }) => recorded.state === 'delivered')
  }
}

export type Taking = { readonly parcel: Parcel; readonly members: readonly Member[] }

/** The parcels of one lane that its owner has in hand: to be sent, being sent, or yet to be recorded. */
export class LaneParcels {
  readonly #inHand = new Map<Id<'delivery'>, Parcel>()
  /** There may be some that were not seen yet. */
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

  /** None is in hand, and there is none to be seen: whatever lay in one is done, or a row of the queue. */
  isEmpty(): boolean {
    return !this.isHungry && this.#inHand.size === 0
  }

  /** How many deliveries of them may still be begun. */
  left(): number {
    let left = 0
    for (const parcel of this.#inHand.values()) left += parcel.left()
    return left
  }

  /** So many at most, the oldest parcel first. */
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

  /** Gives back what was not begun, to be found again; says which were, in part, and cannot be. */
  giveBack(): readonly Parcel[] {
    const left = this.all().filter((parcel) => parcel.left() > 0)
    for (const parcel of left) if (!parcel.isBegun) this.drop(parcel)
    return left.filter(({ isBegun }) => isBegun)
  }
}

import type { Id } from '#kernel/ids.ts'
import type { Member, Parcel } from './parcel.ts'

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

import type { Version } from '#http/versions.ts'
import type { Id } from '#kernel/ids.ts'
import type { Recorded } from '../../history/delivery.ts'

export type Member = {
  readonly id: Id<'delivery'>
  readonly event: Id<'event'>
  readonly installation: Id<'installation'> | null
}

/** The outcome of a member; `done` is called once it is recorded. */
export type Known = { readonly recorded: Recorded; readonly done: () => void }

type Watch = { readonly silence: NodeJS.Timeout; readonly untilMs: number }

/**
 * A delivery batch in the memory of the worker that leased its lane.
 * whole     the members are sent, and their outcomes wait to be recorded together
 * recorded  all members were delivered, and the history has them
 * opening   outcomes wait until the members are rows of the queue
 * open      the delivery batch is deleted, and each member is a row of the queue
 */
export class DeliveryBatch {
  readonly id: Id<'delivery'>
  readonly version: Version
  readonly members: readonly Member[]
  readonly known: Known[] = []
  state: 'whole' | 'recorded' | 'opening' | 'open' = 'whole'
  /** The timer and the deadline after which the delivery batch is opened; null until its first member is started. */
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

  /** How many members may still be started; 0 unless the delivery batch is `whole`. */
  left(): number {
    return this.state === 'whole' ? this.members.length - this.#begun : 0
  }

  next(count: number): readonly Member[] {
    return this.state === 'whole' ? this.members.slice(this.#begun, this.#begun + count) : []
  }

  began(): void {
    this.#begun += 1
  }

  /** Called at each answer: restarts the silence timer and returns whether the delivery batch is past its deadline. */
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

export type Taking = { readonly deliveryBatch: DeliveryBatch; readonly members: readonly Member[] }

/** The delivery batches of one lane in the worker's memory: to be sent, in progress, or not yet recorded. */
export class LaneDeliveryBatches {
  readonly #inHand = new Map<Id<'delivery'>, DeliveryBatch>()
  /** Whether there may be delivery batches that were not read yet. */
  mayHaveMore = true

  ids(): readonly Id<'delivery'>[] {
    return [...this.#inHand.keys()]
  }

  all(): readonly DeliveryBatch[] {
    return [...this.#inHand.values()]
  }

  add(deliveryBatch: DeliveryBatch): void {
    this.#inHand.set(deliveryBatch.id, deliveryBatch)
  }

  drop(deliveryBatch: DeliveryBatch): void {
    this.#inHand.delete(deliveryBatch.id)
  }

  /** Whether no delivery batch is in memory or left to read. */
  isEmpty(): boolean {
    return !this.mayHaveMore && this.#inHand.size === 0
  }

  /** How many members may still be started. */
  left(): number {
    let left = 0
    for (const deliveryBatch of this.#inHand.values()) left += deliveryBatch.left()
    return left
  }

  /** At most `count` members, oldest delivery batch first. */
  next(count: number): readonly Taking[] {
    const taking: Taking[] = []
    let wanted = count
    for (const deliveryBatch of this.#inHand.values()) {
      if (wanted === 0) break
      const members = deliveryBatch.next(wanted)
      if (members.length === 0) continue
      taking.push({ deliveryBatch, members })
      wanted -= members.length
    }
    return taking
  }

  /**
   * Drops delivery batches that were not started, to be read again later. Returns the partly started ones, which must be
   * opened.
   */
  giveBack(): readonly DeliveryBatch[] {
    const left = this.all().filter((deliveryBatch) => deliveryBatch.left() > 0)
    for (const deliveryBatch of left) if (!deliveryBatch.isBegun) this.drop(deliveryBatch)
    return left.filter(({ isBegun }) => isBegun)
  }
}

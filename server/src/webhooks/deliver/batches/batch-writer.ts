import type { Id } from '#kernel/ids.ts'
import { openDeliveryBatches, ownWorld } from '../../queue/store.ts'
import type { AtWork } from '../engine-parts.ts'
import type { Lane } from '../lane.ts'
import { type Recorder, WriteBehind } from '../recorder.ts'
import type { DeliveryBatch, Known } from './delivery-batch.ts'
import { recordDeliveryBatches } from './store.ts'

const RECORDED_AT_ONCE = 16
const OPENED_AT_ONCE = 8

type BatchEntry = { readonly lane: Lane; readonly deliveryBatch: DeliveryBatch }

/**
 * Records the outcomes of a delivery batch. If all members were delivered in time, one statement records the whole
 * batch. Otherwise the batch is opened: each member becomes a row of the queue, and its outcome is recorded on that
 * row. A member stays in the lane's busy set until its outcome is committed, so that its row is not sent again
 * meanwhile.
 */
export class DeliveryBatchWriter {
  readonly #at: Pick<AtWork, 'signals' | 'settings'>
  readonly #recorder: Recorder
  readonly #whole: WriteBehind<BatchEntry>
  readonly #opening: WriteBehind<BatchEntry>

  constructor(at: Pick<AtWork, 'db' | 'log' | 'signals' | 'settings'>, recorder: Recorder) {
    const { db, log } = at
    this.#at = at
    this.#recorder = recorder
    const logFailure = (what: string) => (batch: readonly BatchEntry[], error: unknown) =>
      log.error(
        { world: db.world, deliveryBatches: batch.map(({ deliveryBatch }) => deliveryBatch.id), err: error },
        what,
      )
    this.#whole = new WriteBehind<BatchEntry>({
      batchMax: RECORDED_AT_ONCE,
      write: async (batch) => {
        const recorded = new Set(
          await recordDeliveryBatches(
            db,
            batch.map(({ deliveryBatch }) => deliveryBatch),
          ),
        )
        for (const entry of batch) this.#settle(entry, recorded)
      },
      onFailure: logFailure('delivery batches could not be recorded; they will be tried again'),
      // WriteBehind retries a failed batch in halves, so only the bad delivery batch gets here.
      onRefused: (entry) => {
        this.open(entry)
        return true
      },
    })
    this.#opening = new WriteBehind<BatchEntry>({
      batchMax: OPENED_AT_ONCE,
      write: async (batch) => {
        const ids = batch.map(({ deliveryBatch }) => deliveryBatch.id)
        await db.transaction((tx) => openDeliveryBatches(ownWorld(tx), ids))
        for (const entry of batch) this.#opened(entry)
      },
      onFailure: logFailure('delivery batches could not be opened; they will be tried again'),
    })
  }

  /** Called when a member was started. */
  began({ lane, deliveryBatch }: BatchEntry): void {
    deliveryBatch.began()
    const { deliveryBatchSilentMs, deliveryBatchMs } = this.#at.settings
    deliveryBatch.watch ??= {
      silence: setTimeout(() => this.open({ lane, deliveryBatch }), deliveryBatchSilentMs).unref(),
      untilMs: performance.now() + deliveryBatchMs,
    }
  }

  /** Called when the outcome of a member is known. */
  ended({ lane, deliveryBatch }: BatchEntry, known: Known): void {
    if (deliveryBatch.state === 'open') {
      this.#recorder.record(known.recorded, known.done)
      return
    }
    deliveryBatch.known.push(known)
    if (deliveryBatch.isDone()) this.#record({ lane, deliveryBatch })
    else if (known.recorded.state !== 'delivered' || deliveryBatch.isOverdue(performance.now()))
      this.open({ lane, deliveryBatch })
  }

  /** Turns the members into rows of the queue. A second call changes nothing. */
  open({ lane, deliveryBatch }: BatchEntry): void {
    if (deliveryBatch.state !== 'whole') return
    deliveryBatch.state = 'opening'
    deliveryBatch.unwatch()
    this.#opening.add({ lane, deliveryBatch })
  }

  /** Resolves once all queued writes are done. */
  async drained(): Promise<void> {
    await this.#whole.drained()
    await this.#opening.drained()
  }

  #record({ lane, deliveryBatch }: BatchEntry): void {
    deliveryBatch.unwatch()
    this.#whole.add({ lane, deliveryBatch })
  }

  #settle({ lane, deliveryBatch }: BatchEntry, recorded: ReadonlySet<Id<'delivery'>>): void {
    if (recorded.has(deliveryBatch.id)) {
      deliveryBatch.state = 'recorded'
      lane.deliveryBatches.drop(deliveryBatch)
      for (const { done } of deliveryBatch.known.splice(0)) done()
    } else {
      // Another transaction opened the delivery batch or stopped one of its members.
      this.open({ lane, deliveryBatch })
    }
  }

  #opened({ lane, deliveryBatch }: BatchEntry): void {
    deliveryBatch.state = 'open'
    lane.deliveryBatches.drop(deliveryBatch)
    for (const { recorded, done } of deliveryBatch.known.splice(0)) this.#recorder.record(recorded, done)
    lane.hasMoreRows()
    lane.applyRowCheck(true)
    this.#at.signals.send.wake()
  }
}

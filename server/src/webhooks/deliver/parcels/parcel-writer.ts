import type { Id } from '#kernel/ids.ts'
import { openParcels, ownWorld } from '../../queue/store.ts'
import type { AtWork } from '../engine-parts.ts'
import type { Lane } from '../lane.ts'
import { type Recorder, WriteBehind } from '../recorder.ts'
import type { Known, Parcel } from './parcel.ts'
import { recordParcels } from './store.ts'

const RECORDED_AT_ONCE = 16
const OPENED_AT_ONCE = 8

type Held = { readonly lane: Lane; readonly parcel: Parcel }

/**
 * Records the outcomes of a parcel: as a whole if all members were delivered in time; otherwise the parcel is opened first,
 * and outcomes are recorded on the members' rows. A member stays in the lane's busy set until its outcome is committed, so
 * that its row is not sent again meanwhile.
 */
export class ParcelWriter {
  readonly #at: Pick<AtWork, 'bells' | 'settings'>
  readonly #recorder: Recorder
  readonly #whole: WriteBehind<Held>
  readonly #opening: WriteBehind<Held>

  constructor(at: Pick<AtWork, 'db' | 'log' | 'bells' | 'settings'>, recorder: Recorder) {
    const { db, log } = at
    this.#at = at
    this.#recorder = recorder
    const logFailure = (what: string) => (batch: readonly Held[], error: unknown) =>
      log.error({ world: db.world, parcels: batch.map(({ parcel }) => parcel.id), err: error }, what)
    this.#whole = new WriteBehind<Held>({
      batchMax: RECORDED_AT_ONCE,
      write: async (batch) => {
        const recorded = new Set(
          await recordParcels(
            db,
            batch.map(({ parcel }) => parcel),
          ),
        )
        for (const held of batch) this.#settle(held, recorded)
      },
      onFailure: logFailure('parcels could not be recorded; they will be tried again'),
      // WriteBehind retries a failed batch in halves, so only the bad parcel gets here.
      onRefused: (held) => {
        this.open(held)
        return true
      },
    })
    this.#opening = new WriteBehind<Held>({
      batchMax: OPENED_AT_ONCE,
      write: async (batch) => {
        const ids = batch.map(({ parcel }) => parcel.id)
        await db.transaction((tx) => openParcels(ownWorld(tx), ids))
        for (const held of batch) this.#opened(held)
      },
      onFailure: logFailure('parcels could not be opened; they will be tried again'),
    })
  }

  /** A member was started. */
  began({ lane, parcel }: Held): void {
    parcel.began()
    const { parcelSilentMs, parcelMs } = this.#at.settings
    parcel.watch ??= {
      silence: setTimeout(() => this.open({ lane, parcel }), parcelSilentMs).unref(),
      untilMs: performance.now() + parcelMs,
    }
  }

  /** A member has its outcome. */
  ended({ lane, parcel }: Held, known: Known): void {
    if (parcel.state === 'open') {
      this.#recorder.record(known.recorded, known.done)
      return
    }
    parcel.known.push(known)
    if (parcel.isDone()) this.#record({ lane, parcel })
    else if (known.recorded.state !== 'delivered' || parcel.isOverdue(performance.now())) this.open({ lane, parcel })
  }

  /** Idempotent. */
  open({ lane, parcel }: Held): void {
    if (parcel.state !== 'whole') return
    parcel.state = 'opening'
    parcel.unwatch()
    this.#opening.add({ lane, parcel })
  }

  /** Resolves once all queued writes are done. */
  async drained(): Promise<void> {
    await this.#whole.drained()
    await this.#opening.drained()
  }

  #record({ lane, parcel }: Held): void {
    parcel.unwatch()
    this.#whole.add({ lane, parcel })
  }

  #settle({ lane, parcel }: Held, recorded: ReadonlySet<Id<'delivery'>>): void {
    if (recorded.has(parcel.id)) {
      parcel.state = 'recorded'
      lane.parcels.drop(parcel)
      for (const { done } of parcel.known.splice(0)) done()
    } else {
      // The parcel was opened elsewhere, or one of its members was stopped.
      this.open({ lane, parcel })
    }
  }

  #opened({ lane, parcel }: Held): void {
    parcel.state = 'open'
    lane.parcels.drop(parcel)
    for (const { recorded, done } of parcel.known.splice(0)) this.#recorder.record(recorded, done)
    lane.hasMoreRows()
    lane.sawRows(true)
    this.#at.bells.send.ring()
  }
}

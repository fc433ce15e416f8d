import type { Log } from '#system/log.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { type Recorded, recordDeliveries } from './store.ts'
import { WriteBehind } from './write-behind.ts'

const BATCH_MAX = 250

type Waiting = { readonly recorded: Recorded; readonly done: () => void }

/** Writes outcomes down: an answer forgotten would mean a delivery sent twice. */
export class Recorder {
  readonly #outcomes: WriteBehind<Waiting>

  constructor(db: WorldDatabase, log: Log) {
    this.#outcomes = new WriteBehind<Waiting>({
      batchMax: BATCH_MAX,
      write: async (batch) => {
        await recordDeliveries(
          db,
          batch.map(({ recorded }) => recorded),
        )
        for (const { done } of batch) done()
      },
      onFailure: (batch, error) => {
        const deliveries = batch.length === 1 ? { delivery: batch[0]?.recorded.id } : { deliveries: batch.length }
        log.error({ ...deliveries, err: error }, 'outcomes could not be recorded; they will be tried again')
      },
    })
  }

  /** `done` is called once it is committed. */
  record(recorded: Recorded, done: () => void): void {
    this.#outcomes.add({ recorded, done })
  }

  /** Until nothing waits any more. */
  drained(): Promise<void> {
    return this.#outcomes.drained()
  }
}

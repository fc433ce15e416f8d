import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { worldNow } from './store.ts'

/** It happens now, in the world's time, because of this request. */
export async function occasionOf(tx: Tx, requestId: string): Promise<Occasion> {
  return { cause: requestId, occurredAt: await worldNow(tx), caused: [] }
}

import { newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { NewEvent } from './new-event.ts'
import type { Occasion } from './occasion.ts'
import { insertEvent } from './store.ts'

/** Records what happened, in the transaction that made it happen. */
export async function appendEvent(tx: Tx, event: NewEvent, occasion: Occasion): Promise<void> {
  const id = newId('event')
  await insertEvent(tx, { id, cause: occasion.cause, ...event })
  occasion.caused.push({ id, name: event.name, occurredAt: event.occurredAt })
}

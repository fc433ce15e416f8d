import { newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { NewEvent } from './new-event.ts'
import type { Occasion } from './occasion.ts'
import { insertEvents } from './store.ts'

/** Null: nothing that was told caused them directly. */
type Because = Pick<Occasion, 'caused'> & { readonly cause: string | null }

/** Many events of one cause at once; the same rows that appendEvent makes. */
export async function appendEvents(tx: Tx, events: readonly NewEvent[], { cause, caused }: Because): Promise<void> {
  const named = events.map((event) => ({ id: newId('event'), cause, ...event }))
  await insertEvents(tx, named)
  for (const { id, name, occurredAt } of named) caused.push({ id, name, occurredAt })
}

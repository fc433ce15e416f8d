import type { WorldTime } from '#kernel/clock.ts'
import { newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { EventName } from './event-data.ts'
import type { Occasion } from './occasion.ts'
import { insertEvent, type Subject } from './store.ts'

export type NewEvent = {
  readonly name: EventName
  /** What the event is about; fan-out finds its audience by these. */
  readonly subject: Subject
  /** The time on the wire, already made to rise where the specification orders by it. */
  readonly occurredAt: WorldTime
  /** `data` as the specification shows it, without occurred_at and without whatever identifies a person. */
  readonly data: { readonly [key: string]: unknown }
  /** Names and addresses in the places where `data` would hold them, apart so that they can be erased. */
  readonly identity?: { readonly [key: string]: unknown }
}

/** Records what happened, in the transaction that made it happen. */
export async function appendEvent(tx: Tx, event: NewEvent, occasion: Occasion): Promise<void> {
  const id = newId('event')
  await insertEvent(tx, { id, cause: occasion.cause, ...event })
  occasion.caused.push({ id, name: event.name, occurredAt: event.occurredAt })
}

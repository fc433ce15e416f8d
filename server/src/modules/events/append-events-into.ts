import { newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { NewEvent } from './new-event.ts'
import type { Occasion } from './occasion.ts'
import { insertEventsInto } from './store.ts'

/** One of the two worlds, and what happened there. */
type Into = { readonly world: World; readonly events: readonly NewEvent[] }

/** What the platform did to a world, recorded there, in the transaction that did it. */
export async function appendEventsInto(
  tx: PlatformTx,
  { world, events }: Into,
  { cause, caused }: Pick<Occasion, 'cause' | 'caused'>,
): Promise<void> {
  if (events.length === 0) return
  const named = events.map((event) => ({ id: newId('event'), cause, ...event }))
  await insertEventsInto(tx, world, named)
  for (const { id, name, occurredAt } of named) caused.push({ id, name, occurredAt })
}

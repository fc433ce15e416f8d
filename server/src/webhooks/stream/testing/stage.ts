import { EVENT_EXAMPLES } from '#events/http.ts'
import { appendEvent, type EventName, type NewEvent } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { fanOut } from '../../fan-out/fan-out.ts'
import { placeRound } from '../queue-store.ts'

type Fields = Readonly<Record<string, unknown>>

type Stage = {
  readonly db: { readonly databases: Readonly<Record<World, Parameters<typeof placeRound>[0]>> }
  arrange<T>(work: (tx: Tx) => Promise<T>, world?: World): Promise<T>
}

/** Records an event, as its own module would, and returns its id. */
export async function happened(
  stage: Stage,
  event: { readonly name: EventName; readonly subject: NewEvent['subject'] } & Partial<NewEvent>,
  world: World = 'test',
): Promise<Id<'event'>> {
  const occasion = occasionAt()
  const { occurred_at, ...data } = EVENT_EXAMPLES[event.name] as Fields
  await stage.arrange((tx) => appendEvent(tx, { occurredAt: occasion.occurredAt, data, ...event }, occasion), world)
  const [recorded] = occasion.caused
  if (recorded === undefined) throw new Error('nothing was recorded')
  return recorded.id
}

/** Does the work of the workers: fans out events and assigns positions. */
export async function settled(stage: Stage, world: World = 'test'): Promise<void> {
  while ((await stage.arrange((tx) => fanOut(tx, 50), world)) > 0);
  while (await placeRound(stage.db.databases[world]));
}

import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Listeners, TakenEvent } from './deliveries-of.ts'
import { type FoundInstallation, findConcerned, findEndpoints, holdConcerned, holdEndpoints } from './store.ts'
import { subjectsOf } from './subjects-of.ts'

type AppId = Id<'app'>

export type HeldListeners = Listeners & {
  /** All that the events may concern. */
  readonly found: readonly FoundInstallation[]
  /** Apps of which somebody is changing an installation or endpoint: nothing is decided about them now. */
  readonly busy: ReadonlySet<AppId>
}

/**
 * Whoever may hear of the events, held until the end of the transaction: installations and then endpoints, each in the
 * order of ids. Nobody is waited for. What somebody else holds keeps back its own app and no other.
 */
export async function holdListeners(tx: Tx, events: readonly TakenEvent[]): Promise<HeldListeners> {
  const found = await findConcerned(tx, subjectsOf(events))
  const installations = await holdConcerned(tx, idsOf(found))
  const busy = new Set(notAmong(found, installations))
  const listening = await findEndpoints(tx, appsOf(events, installations))
  const endpoints = await holdEndpoints(tx, idsOf(listening))
  for (const app of notAmong(listening, endpoints)) busy.add(app)
  return {
    found,
    busy,
    installations: installations.filter(({ app_id }) => !busy.has(app_id)),
    endpoints: endpoints.filter(({ app_id, is_removed }) => !is_removed && !busy.has(app_id)),
  }
}

const idsOf = <I extends string>(all: readonly { readonly id: I }[]): readonly I[] => all.map(({ id }) => id)

/** The apps of what was found and not held. */
function notAmong(
  found: readonly { readonly id: string; readonly app_id: AppId }[],
  held: readonly { readonly id: string }[],
): AppId[] {
  const ids = new Set(idsOf(held))
  return found.filter(({ id }) => !ids.has(id)).map(({ app_id }) => app_id)
}

function appsOf(events: readonly TakenEvent[], installations: Listeners['installations']): AppId[] {
  const named = events.flatMap(({ app_id }) => (app_id === null ? [] : [app_id as AppId]))
  return [...new Set([...installations.map(({ app_id }) => app_id), ...named])]
}

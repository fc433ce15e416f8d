import type { EndpointChange, EndpointEffects } from '#access/oauth/http.ts'
import type { ScopeName } from '#access/scopes/index.ts'
import { coveredBy, EVENT_CATALOGUE, type EventName } from '#events/index.ts'
import type { PlatformQueries } from '#system/postgres/database.ts'
import { listEnabled } from './store.ts'

/** The effects of a change of the app's scopes on its endpoints. An app has few endpoints, so all are read. */
export async function previewEndpoints(
  queries: PlatformQueries,
  { app, apiVersion, world, disconnected, carried, left }: EndpointChange,
): Promise<EndpointEffects> {
  const enabled = await listEnabled(queries, app, world)
  const ending = new Set<string>(disconnected)
  const staying = enabled.filter(({ installation_id: id }) => id === null || !ending.has(id))
  const loses = (name: EventName) => isWithin(name, carried) && !isWithin(name, left)
  return {
    enabled: enabled.length,
    disabled: enabled.length - staying.length,
    losingEvents: staying.filter(({ events }) => coveredBy(events, apiVersion).some(loses)).length,
  }
}

/** Whether an installation of an app that carries these scopes could receive the event. */
function isWithin(name: EventName, carried: ReadonlySet<ScopeName>): boolean {
  return EVENT_CATALOGUE[name].audience.some(({ scope }) => scope === null || carried.has(scope as ScopeName))
}

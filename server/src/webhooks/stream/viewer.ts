import { covers, EVENT_CATALOGUE, type Subscription } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { Manager } from '../endpoints/endpoint.ts'
import type { Projected } from '../projection/project.ts'
import { projectShown } from '../projection/projected-store.ts'
import type { EntryRow } from './read-store.ts'

/**
 * The events that a caller sees: those of the app, or of one installation, in the world of the credential. As for
 * endpoints, a person on the app's team sees all of these events. A server key sees all but those of users' own
 * connections.
 */
export type Viewer = Pick<Manager, 'app' | 'world' | 'installation' | 'usersToo'>

/** The filter of a reader. */
export type Wish = { readonly types: readonly Subscription[]; readonly installation: Id<'installation'> | null }

/** Whether the viewer sees the entry and the filter matches it. `project` decides which data of the event the viewer may read. */
export function isFor({ installation, usersToo }: Viewer, wish: Wish, row: EntryRow): boolean {
  const { event_name: name, installation_id, api_version } = row
  if (name === null) return false
  // An installation token sees the events that an endpoint bound to its installation can receive.
  if (installation !== null && EVENT_CATALOGUE[name].endpoints !== 'app_wide_and_bound') return false
  if (installation !== null && installation_id !== installation) return false
  if (!usersToo && installation_id !== null && row.target_type === 'user') return false
  if (wish.installation !== null && installation_id !== wish.installation) return false
  return wish.types.some((type) => covers(type, name, api_version))
}

/**
 * The event as JSON text, with the body of a delivery in `payload`; null if the installation may not read it now. The
 * text is the same for all viewers of the installation.
 */
export function recordOf(row: EntryRow, mode: World): string | null {
  const projected: Projected = projectShown(row, mode)
  if ('refused' in projected) return null
  const attributes = {
    event: row.event_name,
    mode,
    installation_id: row.installation_id,
    created_at: row.event_created_at,
    redelivery_of: row.redelivery_of,
  }
  const head = JSON.stringify({ id: row.event_id, type: 'event', attributes }).slice(0, -2)
  return `${head},"payload":${projected.body}}}`
}

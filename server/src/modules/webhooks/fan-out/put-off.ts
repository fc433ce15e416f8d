import type { Id } from '#kernel/ids.ts'
import type { TakenEvent } from './deliveries-of.ts'
import type { Deferred } from './events-store.ts'
import type { HeldListeners } from './hold-listeners.ts'

/**
 * What is left to be done: for each event, the busy apps that it may concern. Whether it does is decided once their rows
 * are free; everybody else's deliveries of it are made now.
 */
export function putOff(
  events: readonly TakenEvent[],
  { found, busy }: Pick<HeldListeners, 'found' | 'busy'>,
): Deferred[] {
  if (busy.size === 0) return []
  const ofBusy = found.filter(({ app_id }) => busy.has(app_id))
  return events.flatMap((event) => {
    const about = [event.company_id, event.syndicate_id, event.user_id]
    const concerned = ofBusy.filter(({ id, target_id }) => about.includes(target_id) || id === event.installation_id)
    const apps = new Set([...concerned.map(({ app_id }) => app_id), event.app_id as Id<'app'> | null])
    return [...apps]
      .filter((app) => app !== null && busy.has(app) && (event.left_to ?? app) === app)
      .map((app) => ({ event: event.id, app: app as Id<'app'> }))
  })
}

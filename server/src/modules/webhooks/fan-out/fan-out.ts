import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { deliveriesOf, type ListeningInstallation, type TakenEvent } from './deliveries-of.ts'
import { queueDeliveries, wakeLanes } from './queue-store.ts'
import { lockConcerned, lockEndpoints, takeEvents } from './store.ts'
import { subjectsOf } from './subjects-of.ts'

/**
 * Turns events into deliveries: one per concerned installation per endpoint, exactly once, because an event leaves its
 * queue in the transaction that queues its deliveries. Any number of workers do this at once; what one has taken the
 * others pass over. Locks in the order of everybody: installations, endpoints, lanes, each in the order of their ids.
 * Says how many events it took.
 */
export async function fanOut(tx: Tx, limit: number): Promise<number> {
  const events = await takeEvents(tx, limit)
  if (events.length === 0) return 0
  const installations = await lockConcerned(tx, subjectsOf(events))
  const endpoints = await lockEndpoints(tx, appsOf(events, installations))
  const due = deliveriesOf(events, { installations, endpoints })
  await queueDeliveries(tx, due)
  await wakeLanes(tx, [...new Set(due.map(({ endpoint }) => endpoint))])
  return events.length
}

function appsOf(events: readonly TakenEvent[], installations: readonly ListeningInstallation[]): Id<'app'>[] {
  const named = events.flatMap(({ app_id }) => (app_id === null ? [] : [app_id as Id<'app'>]))
  return [...new Set([...installations.map(({ app_id }) => app_id), ...named])]
}

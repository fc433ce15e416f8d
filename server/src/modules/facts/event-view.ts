import type { World } from '#kernel/world.ts'
import { type StoredEvent, wholeData } from '#modules/events/index.ts'

/** An event as its receivers see it, but for the installation, which differs from one receiver to the next. */
export type EventView = {
  readonly id: string
  readonly event: string
  readonly created_at: string
  readonly mode: World
  readonly data: ReturnType<typeof wholeData>
}

export function eventView(world: World, event: StoredEvent): EventView {
  return { id: event.id, event: event.name, created_at: event.created_at, mode: world, data: wholeData(event) }
}

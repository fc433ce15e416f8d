import type { World } from '#kernel/world.ts'
import { EVENT_CATALOGUE, type StoredEvent } from '#modules/events/index.ts'

/** An event as its receivers see it, but for the installation, which differs from one receiver to the next. */
export type EventView = {
  readonly id: string
  readonly event: string
  readonly created_at: string
  readonly mode: World
  readonly data: Fields
}

type Fields = { readonly [key: string]: unknown }

export function eventView(
  world: World,
  { id, name, recorded_at, occurred_at, data, identity }: StoredEvent,
): EventView {
  const whole = merge(JSON.parse(data), identity === null ? {} : JSON.parse(identity))
  return {
    id,
    event: name,
    created_at: recorded_at,
    mode: world,
    // "occurred_at: present on every investment event except investment.executed", and on none of some other groups.
    data: EVENT_CATALOGUE[name].occurredAt ? { ...whole, occurred_at } : whole,
  }
}

/** Identity stands in the places it has in `data`, kept apart so that it can be erased. */
function merge(data: Fields, identity: Fields): Fields {
  const merged: Record<string, unknown> = { ...data }
  for (const [key, value] of Object.entries(identity)) {
    const below = merged[key]
    merged[key] = isFields(below) && isFields(value) ? merge(below, value) : value
  }
  return merged
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

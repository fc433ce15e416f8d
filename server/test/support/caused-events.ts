import { Value } from 'typebox/value'
import { expect } from 'vitest'
import { EVENT_DATA } from '#events/http.ts'
import { findEvents, type Occasion, wholeData } from '#events/index.ts'
import { worldTime } from '#kernel/clock.ts'
import type { WorldQueries } from '#system/postgres/database.ts'

let count = 0

/** Returns an occasion with a unique cause, at a time that the test chooses. */
export function occasionAt(time = '2026-06-01T12:00:00.000000Z'): Occasion {
  count += 1
  return { cause: `test-${count}`, occurredAt: worldTime(time), caused: [] }
}

type Shown = { readonly event: string; readonly data: { readonly [key: string]: unknown } }

/**
 * Returns the events of an occasion, as a receiver with all scopes would see them. Each event must match its schema in
 * `EVENT_DATA`.
 */
export async function causedBy(queries: WorldQueries, { caused }: Occasion): Promise<Shown[]> {
  const ids = caused.map(({ id }) => id)
  const stored = ids.length === 0 ? [] : await findEvents(queries, ids)
  expect(stored.map(({ id, name, occurred_at }) => ({ id, name, occurredAt: occurred_at }))).toEqual(caused)
  return stored.map((event) => {
    const data = wholeData(event)
    expect(Value.Errors(EVENT_DATA[event.name], data), event.name).toEqual([])
    return { event: event.name, data }
  })
}

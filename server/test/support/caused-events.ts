import { Value } from 'typebox/value'
import { expect } from 'vitest'
import { worldTime } from '#kernel/clock.ts'
import { EVENT_CATALOGUE, EVENT_DATA, findEvents, type Occasion } from '#modules/events/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'

let count = 0

/** A cause of its own, at a time of the test's choosing. */
export function occasionAt(time = '2026-06-01T12:00:00.000000Z'): Occasion {
  count += 1
  return { cause: `test-${count}`, occurredAt: worldTime(time), caused: [] }
}

type Shown = { readonly event: string; readonly data: { readonly [key: string]: unknown } }

/** What an occasion caused, as a receiver with every right would see it. Each must be what the catalogue promises. */
export async function causedBy(queries: WorldQueries, { caused }: Occasion): Promise<Shown[]> {
  const ids = caused.map(({ id }) => id)
  const stored = ids.length === 0 ? [] : await findEvents(queries, ids)
  expect(stored.map(({ id, name, occurred_at }) => ({ id, name, occurredAt: occurred_at }))).toEqual(caused)
  return stored.map(({ name, occurred_at, data, identity }) => {
    const times = EVENT_CATALOGUE[name].occurredAt ? { occurred_at } : {}
    const whole = { ...merged(JSON.parse(data), JSON.parse(identity ?? '{}')), ...times }
    expect(Value.Errors(EVENT_DATA[name], whole), name).toEqual([])
    return { event: name, data: whole }
  })
}

type Json = { readonly [key: string]: unknown }

function merged(data: Json, identity: Json): Json {
  const both = Object.entries(identity).map(([key, value]) => {
    const other = data[key]
    return [key, isObject(value) && isObject(other) ? merged(other, value) : value]
  })
  return { ...data, ...Object.fromEntries(both) }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

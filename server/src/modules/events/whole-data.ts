import { EVENT_CATALOGUE } from './catalogue.ts'
import type { StoredEvent } from './store.ts'

type Fields = { readonly [key: string]: unknown }

/** `data` as a receiver with every right sees it: with names and addresses in their places, and the time it carries. */
export function wholeData({ name, occurred_at, data, identity }: StoredEvent): Fields {
  const whole = merge(JSON.parse(data) as Fields, identity === null ? {} : (JSON.parse(identity) as Fields))
  // "occurred_at: present on every investment event except investment.executed", and on none of some other groups.
  return EVENT_CATALOGUE[name].occurredAt ? { ...whole, occurred_at } : whole
}

/** Identity stands in the places it has in `data`, kept apart so that it can be erased; a list goes on with it. */
function merge(data: Fields, identity: Fields): Fields {
  const merged = Object.entries(identity).map(([key, value]) => {
    const below = data[key]
    if (Array.isArray(below) && Array.isArray(value)) return [key, [...below, ...value]]
    return [key, isFields(below) && isFields(value) ? merge(below, value) : value]
  })
  return { ...data, ...Object.fromEntries(merged) }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

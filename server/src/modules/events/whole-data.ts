import { EVENT_CATALOGUE } from './catalogue.ts'
import type { StoredEvent } from './store.ts'

type Fields = { readonly [key: string]: unknown }

/** `data` as a receiver with every right sees it: with names and addresses in their places, and the time it carries. */
export function wholeData({ name, occurred_at, data, identity }: StoredEvent): Fields {
  const whole = JSON.parse(data) as OwnFields
  if (identity !== null) putInto(whole, JSON.parse(identity) as Fields)
  // "occurred_at: present on every investment event except investment.executed", and on none of some other groups.
  if (EVENT_CATALOGUE[name].occurredAt) whole['occurred_at'] = occurred_at
  return whole
}

/** Parsed a moment ago, and nobody else's: written to as it is, because this is done for almost every delivery. */
type OwnFields = { [key: string]: unknown }

/** Identity stands in the places it has in `data`, kept apart so that it can be erased; a list goes on with it. */
function putInto(data: OwnFields, identity: Fields): void {
  for (const key of Object.keys(identity)) {
    const [below, value] = [data[key], identity[key]]
    if (Array.isArray(below) && Array.isArray(value)) data[key] = [...below, ...value]
    else if (isFields(below) && isFields(value)) putInto(below, value)
    else data[key] = value
  }
}

function isFields(value: unknown): value is OwnFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

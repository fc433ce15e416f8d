import type { Fields } from '../version-step.ts'

/** What steps are made of: bodies have passed the newest schema, and a step passes on what it does not know. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Changes a value if it is an object, and each item if it is a list. */
export function each(value: unknown, change: (item: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map((item) => each(item, change))
  return isFields(value) ? change(value) : value
}

/** Changes the record in `data`, or every record of a list. */
export function inData(body: unknown, change: (record: Fields) => Fields): unknown {
  return isFields(body) ? { ...body, data: each(body['data'], change) } : body
}

/** The same for `attributes` of each record. */
export function inAttributes(body: unknown, change: (attributes: Fields) => Fields): unknown {
  return inData(body, (record) => ({ ...record, attributes: each(record['attributes'], change) }))
}

export function without(fields: Fields, ...names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}

/** Leaves a key out where its value is null: older schemas have an enum or a plain type for it. */
export function withoutNull(fields: Fields, ...names: readonly string[]): Fields {
  return without(fields, ...names.filter((name) => fields[name] === null))
}

/** Records had an integer for their id. */
export function withLegacyIds(body: unknown): unknown {
  return inData(body, (record) => {
    const { attributes } = record
    if (!isFields(attributes)) return record
    return { ...record, id: attributes['legacy_id'], attributes: without(attributes, 'legacy_id') }
  })
}

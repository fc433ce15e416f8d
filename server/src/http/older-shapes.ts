import { type Fields, isFields } from './version-steps.ts'

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

/** Leaves out a key whose value is null: older schemas do not allow null for it. */
export function withoutNull(fields: Fields, ...names: readonly string[]): Fields {
  return without(fields, ...names.filter((name) => fields[name] === null))
}

/** In older versions the id of a record was an integer. */
export function withLegacyIds(body: unknown): unknown {
  return inData(body, (record) => {
    const { attributes } = record
    if (!isFields(attributes)) return record
    return { ...record, id: attributes['legacy_id'], attributes: without(attributes, 'legacy_id') }
  })
}

/** In older versions the cursor of some lists was the number of rows so far. */
export function withCountedCursor(body: unknown): unknown {
  if (!isFields(body) || !isFields(body['meta'])) return body
  const { next_cursor: next, ...meta } = body['meta']
  return { ...body, meta: { ...meta, next_cursor: typeof next === 'string' ? Number(next) : next } }
}

/** `1234.50`: the older form of money in offerings and companies. */
export function decimal(cents: unknown): unknown {
  return typeof cents === 'number' ? (cents / 100).toFixed(2) : cents
}

/** `"5000"`: the older form of money in syndicates. Every amount is a whole number of units. */
export function wholeUnitsText(cents: unknown): unknown {
  return typeof cents === 'number' ? (cents / 100).toFixed(0) : cents
}

/** Renames `<name>_cents` to `<name>`, in the form of the older version. */
export function moneyBefore(fields: Fields, names: readonly string[], form: (cents: unknown) => unknown): Fields {
  const renamed = new Map(names.map((name) => [`${name}_cents`, name]))
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      const name = renamed.get(key)
      return name === undefined ? [key, value] : [name, form(value)]
    }),
  )
}

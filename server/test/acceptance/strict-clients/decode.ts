/**
 * Decodes responses more strictly than any client library of the live platform. These are faults: a value outside of an
 * enum, null where the schema does not allow it, a missing required key, a number where text is declared, and a key
 * that the schema does not list. Libraries ignore unknown keys. `added` marks the keys that they have to ignore.
 */
export type Decoder = {
  readonly faults: (value: unknown, path: string) => readonly string[]
  readonly mayBeMissing?: true
}
export type Fields = Readonly<Record<string, Decoder>>

const NONE: readonly string[] = []
const fault = (value: unknown, path: string, wanted: string): readonly string[] => [
  `${path}: ${JSON.stringify(value)?.slice(0, 80) ?? 'missing'} is not ${wanted}`,
]

function checked(wanted: string, holds: (value: unknown) => boolean): Decoder {
  return { faults: (value, path) => (holds(value) ? NONE : fault(value, path, wanted)) }
}

export const matching = (wanted: string, pattern: RegExp): Decoder =>
  checked(wanted, (value) => typeof value === 'string' && pattern.test(value))

export const text = checked('text', (value) => typeof value === 'string')
export const whole = checked('an integer', (value) => Number.isSafeInteger(value))
export const number = checked('a number', (value) => typeof value === 'number')
export const flag = checked('true or false', (value) => typeof value === 'boolean')
export const anything: Decoder = { faults: () => NONE }
/** The time has `Z` or an offset, because libraries read a time without a zone as local time. */
export const time = matching('a time with a zone', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/)
/** "Timestamps are ISO 8601 strings in UTC." */
export const utc = matching('a time in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/)
/** "Event occurred_at and observed_at carry microseconds." */
export const micros = matching('a time in UTC with microseconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
export const date = matching('a date', /^\d{4}-\d\d-\d\d$/)
export const week = matching('an ISO week', /^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/)
export const decimal = matching('a decimal in text', /^-?\d+(\.\d+)?$/)
export const currency = matching('a lowercase currency code', /^[a-z]{3}$/)
export const address = checked('an absolute URL', (value) => typeof value === 'string' && URL.canParse(value))

/** An id of one kind: its prefix and a body of fixed length. */
export const id = (prefix: string): Decoder =>
  matching(`an id with ${prefix}`, new RegExp(`^${prefix}[0-9A-Za-z]{24}$`))

export const oneOf = (...values: readonly string[]): Decoder =>
  checked(`one of ${values.join(', ')}`, (value) => typeof value === 'string' && values.includes(value))

export const exactly = (wanted: unknown): Decoder => checked(JSON.stringify(wanted), (value) => value === wanted)

export const nullable = (of: Decoder): Decoder => ({
  ...of,
  faults: (value, path) => (value === null ? NONE : of.faults(value, path)),
})

/** A key that the schema does not require, so it may be missing. It may be null only if `of` accepts null. */
export const optional = (of: Decoder): Decoder => ({ ...of, mayBeMissing: true })

/** A key that the older schema does not have. Client libraries for older versions ignore the key. */
export const added = (of: Decoder): Decoder => optional(of)

export const listOf = (of: Decoder): Decoder => ({
  faults: (value, path) =>
    Array.isArray(value)
      ? value.flatMap((item, at) => of.faults(item, `${path}[${at}]`))
      : fault(value, path, 'a list'),
})

export const mapOf = (of: Decoder): Decoder => ({
  faults: (value, path) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, item]) => of.faults(item, `${path}.${key}`))
      : fault(value, path, 'an object'),
})

/** An object whose keys the contract does not list: metadata, parameters, details. */
export const freeForm = mapOf(anything)

/** An object with no other keys than these. Only an optional key may be missing. */
export const object = (fields: Fields): Decoder => ({
  faults: (value, path) => {
    if (!isObject(value)) return fault(value, path, 'an object')
    const listed = Object.entries(fields).flatMap(([key, of]) => {
      if (key in value) return of.faults(value[key], `${path}.${key}`)
      return of.mayBeMissing === true ? NONE : [`${path}.${key}: is missing`]
    })
    const unlisted = Object.keys(value).filter((key) => !(key in fields))
    return [...listed, ...unlisted.map((key) => `${path}.${key}: is not in the schema`)]
  },
})

/** An object whose decoder depends on the value of one of its keys. */
export const unionOf = (variants: Fields, by = 'type'): Decoder => ({
  faults: (value, path) => {
    const kind = isObject(value) ? value[by] : undefined
    const variant = typeof kind === 'string' ? variants[kind] : undefined
    return variant === undefined
      ? fault(value, path, `an object whose ${by} is one of ${Object.keys(variants).join(', ')}`)
      : variant.faults(value, path)
  },
})

/** `{id, type, attributes}`, the shape of almost every record. */
export const record = (of: Decoder, type: string, attributes: Fields): Decoder =>
  object({ id: of, type: oneOf(type), attributes: object(attributes) })

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

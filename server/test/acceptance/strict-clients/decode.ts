/**
 * Decodes answers as strictly as the strictest client library of the live platform does: a value outside of an enum, null
 * where the schema knows no null, a missing required key or a number where text is declared all end its program. Unknown
 * keys are ignored, as all three libraries ignore them.
 */
export type Decoder = {
  readonly faults: (value: unknown, path: string) => readonly string[]
  readonly mayBeMissing?: true
}

type Fields = Readonly<Record<string, Decoder>>

const NONE: readonly string[] = []
const fault = (value: unknown, path: string, wanted: string): readonly string[] => [
  `${path}: ${JSON.stringify(value)?.slice(0, 80) ?? 'missing'} is not ${wanted}`,
]

function checked(wanted: string, holds: (value: unknown) => boolean): Decoder {
  return { faults: (value, path) => (holds(value) ? NONE : fault(value, path, wanted)) }
}

const matching = (wanted: string, pattern: RegExp): Decoder =>
  checked(wanted, (value) => typeof value === 'string' && pattern.test(value))

export const text = checked('text', (value) => typeof value === 'string')
export const whole = checked('an integer', (value) => Number.isSafeInteger(value))
export const number = checked('a number', (value) => typeof value === 'number')
export const flag = checked('true or false', (value) => typeof value === 'boolean')
export const anything: Decoder = { faults: () => NONE }
/** With `Z` or an offset: libraries that parse times read a naive one as local time. */
export const time = matching('a time with a zone', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/)
export const date = matching('a date', /^\d{4}-\d\d-\d\d$/)
export const decimal = matching('a decimal in text', /^-?\d+(\.\d+)?$/)
export const address = checked('an absolute URL', (value) => typeof value === 'string' && URL.canParse(value))

/** An id of the kind that a prefix names. */
export const id = (prefix: string): Decoder => matching(`an id with ${prefix}`, new RegExp(`^${prefix}[0-9A-Za-z]+$`))

export const oneOf = (...values: readonly string[]): Decoder =>
  checked(`one of ${values.join(', ')}`, (value) => typeof value === 'string' && values.includes(value))

export const nullable = (of: Decoder): Decoder => ({
  ...of,
  faults: (value, path) => (value === null ? NONE : of.faults(value, path)),
})

/** A key that the schema does not require. It may be missing, but it is never null unless it is also nullable. */
export const optional = (of: Decoder): Decoder => ({ ...of, mayBeMissing: true })

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

export const object = (fields: Fields): Decoder => ({
  faults: (value, path) => {
    if (!isObject(value)) return fault(value, path, 'an object')
    return Object.entries(fields).flatMap(([key, of]) => {
      if (key in value) return of.faults(value[key], `${path}.${key}`)
      return of.mayBeMissing === true ? NONE : [`${path}.${key}: is missing`]
    })
  },
})

/** An object that is read by the value of its `type`. */
export const unionOf = (variants: Fields): Decoder => ({
  faults: (value, path) => {
    const kind = isObject(value) ? value['type'] : undefined
    const variant = typeof kind === 'string' ? variants[kind] : undefined
    return variant === undefined
      ? fault(value, path, `one of the types ${Object.keys(variants).join(', ')}`)
      : variant.faults(value, path)
  },
})

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

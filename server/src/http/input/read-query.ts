import { ApiError, type FieldError } from '#kernel/errors.ts'
import { isStorable } from './plain-text.ts'

type Keywords = Readonly<Record<string, unknown>>

/**
 * Converts the query to the types of its schema: numbers, booleans, and lists in both forms (`a=1&a=2` and `a=1,2`). A value
 * that cannot be converted stays text, and the validator rejects it. Parameters that are not in the schema are ignored.
 */
export function readQuery(schema: object, query: RawQuery): Record<string, unknown> {
  if (query.malformed) throw badQuery('The query string is not correctly percent-encoded.')
  const values: Record<string, unknown> = {}
  const errors: FieldError[] = []
  if (query.values.size === 0) return values
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    const texts = query.values.get(name)
    if (texts === undefined) continue
    if (!texts.every(isStorable)) errors.push({ field: name, code: 'invalid_text', message: UNSTORABLE })
    else if (property['type'] === 'array') values[name] = readList(property, texts)
    else if (texts.length > 1) errors.push({ field: name, code: 'duplicate', message: 'was given more than once' })
    else values[name] = readScalar(property, texts[0] ?? '')
  }
  if (errors.length > 0) throw queryError(errors)
  return values
}

export const UNSTORABLE = 'contains a NUL or half of a surrogate pair'

export function queryError(fields: readonly FieldError[]): ApiError {
  return badQuery(
    fields
      .map(({ field, message }) => `${field} ${message}`)
      .join('; ')
      .concat('.'),
    { fields },
  )
}

function badQuery(reason: string, details?: { readonly fields: readonly FieldError[] }): ApiError {
  return new ApiError('invalid_request', {
    public: `The query cannot be read: ${reason}`,
    ...(details === undefined ? {} : { details }),
  })
}

function propertiesOf(schema: object): Readonly<Record<string, Keywords>> {
  return ((schema as Keywords)['properties'] ?? {}) as Record<string, Keywords>
}

/** Empty items are dropped: `a=` is the empty list, and a trailing comma adds no item. */
function readList(property: Keywords, texts: readonly string[]): unknown[] {
  const items = (property['items'] ?? {}) as Keywords
  return texts
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '')
    .map((text) => readScalar(items, text))
}

const INTEGER = /^-?\d+$/
const NUMBER = /^-?\d+(\.\d+)?$/

function readScalar(property: Keywords, text: string): unknown {
  switch (property['type']) {
    case 'integer':
      return INTEGER.test(text) ? finite(Number(text)) : text
    case 'number':
      return NUMBER.test(text) ? finite(Number(text)) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    default:
      return text
  }
}

/**
 * Limits a number of four hundred digits to the largest finite number, so that it is rejected as too large and not as malformed.
 */
function finite(number: number): number {
  return Math.min(Math.max(number, -Number.MAX_VALUE), Number.MAX_VALUE)
}

/** A parsed query string: all values of each name, in order. */
export type RawQuery = {
  readonly values: ReadonlyMap<string, readonly string[]>
  /** Whether some part was not percent-encoded UTF-8. The route rejects such a query in its own error format. */
  readonly malformed: boolean
}

const NOTHING: RawQuery = { values: new Map(), malformed: false }

export function parseQueryText(text: string): RawQuery {
  if (text === '') return NOTHING
  const values = new Map<string, string[]>()
  let malformed = false
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals === -1 ? pair : pair.slice(0, equals))
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
    if (name === null || value === null) {
      malformed = true
      continue
    }
    const earlier = values.get(name)
    if (earlier === undefined) values.set(name, [value])
    else earlier.push(value)
  }
  return { values, malformed }
}

const ENCODED = /[%+]/

function decode(text: string): string | null {
  if (!ENCODED.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // decodeURIComponent reports malformed input only by throwing.
    return null
  }
}

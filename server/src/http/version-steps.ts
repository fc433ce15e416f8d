import type { RawQuery } from './input/read-query.ts'
import { VERSIONS, type Version } from './versions.ts'

export type Fields = Readonly<Record<string, unknown>>

/**
 * One difference between the shapes of two versions. Handlers use only the newest form. A step converts the newest response to
 * the form of the versions older than `before`, and a request in that form to the newest form. The request is an object but not
 * validated yet, so a step leaves unknown fields as they are.
 */
export type VersionStep = {
  readonly name: string
  readonly before: Version
  readonly operations: readonly string[] | 'all'
  readonly response?: (body: unknown, status: number) => unknown
  readonly request?: (body: Fields) => Fields
  readonly query?: (query: RawQuery) => RawQuery
}

/**
 * Older clients send `limit` instead of `per_page`. If both are sent, `per_page` wins. Search has its own `limit` in older
 * versions, which its route reads.
 */
const LIMIT_AS_PER_PAGE: VersionStep = {
  name: 'limit as per_page',
  before: '2026-11-01',
  operations: 'all',
  query: (query) => {
    const limit = query.values.get('limit')
    if (limit === undefined || query.values.has('per_page')) return query
    return { ...query, values: new Map([...query.values, ['per_page', limit]]) }
  },
}

export type OperationSteps = {
  /**
   * Converts a response from the newest form to the form of the version. Returns the same value if the version has no difference.
   */
  response(version: Version, body: unknown, status: number): unknown
  /** Whether any step would change a response. If not, the response need not be parsed. */
  changesResponse(version: Version): boolean
  /** Converts a request from the form of the version to the newest form. */
  request(version: Version, body: unknown): unknown
  query(version: Version, query: RawQuery): RawQuery
}

/**
 * The steps of one operation. For responses they run from the newest change back, for requests from the oldest change forward.
 */
export function stepsOf(operation: string, steps: readonly VersionStep[]): OperationSteps {
  const mine = [LIMIT_AS_PER_PAGE, ...steps]
    .filter(({ operations }) => operations === 'all' || operations.includes(operation))
    // The sort is stable, so steps of one version run in the list's order for responses, and in the reverse order for requests.
    .toSorted((a, b) => VERSIONS.indexOf(b.before) - VERSIONS.indexOf(a.before))
  const newestFirst = (version: Version) => mine.filter(({ before }) => version < before)
  return {
    response: (version, body, status) =>
      newestFirst(version).reduce(
        (form, { response }) => (response === undefined ? form : response(form, status)),
        body,
      ),
    changesResponse: (version) => newestFirst(version).some(({ response }) => response !== undefined),
    request: (version, body) =>
      isFields(body)
        ? newestFirst(version).reduceRight((form, { request }) => (request === undefined ? form : request(form)), body)
        : body,
    query: (version, query) =>
      newestFirst(version).reduceRight((form, { query: step }) => (step === undefined ? form : step(form)), query),
  }
}

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

/** Changes `attributes` of the record in `data`, or of every record of a list. */
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

/** In older versions the id of some records was an integer. */
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

/** `"1234.50"`: the older form of money in offerings and companies. */
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

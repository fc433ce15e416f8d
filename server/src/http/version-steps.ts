import type { RawQuery } from './input/read-query.ts'
import { VERSIONS, type Version } from './versions.ts'

export type Fields = Readonly<Record<string, unknown>>

/**
 * One difference between two versions' shapes, by name. Handlers only use the newest form: a step converts the newest response
 * to the form `before` that version, and an older request to the newest form. A request is not validated yet when a step gets
 * it: it is certainly an object, and a step passes on unknown fields.
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
  /** From the newest form to the version's. Returns the same value if the version has no difference. */
  response(version: Version, body: unknown, status: number): unknown
  /** Whether any step would change a response, so that no response is parsed for nothing. */
  changesResponse(version: Version): boolean
  /** From the version's form to the newest. */
  request(version: Version, body: unknown): unknown
  query(version: Version, query: RawQuery): RawQuery
}

/** The steps of one operation: responses go from the newest change back, requests from the oldest change forward. */
export function stepsOf(operation: string, steps: readonly VersionStep[]): OperationSteps {
  const mine = [LIMIT_AS_PER_PAGE, ...steps]
    .filter(({ operations }) => operations === 'all' || operations.includes(operation))
    // The sort is stable: steps of one version keep the list's order for responses, and the reverse for requests.
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

/** Bodies have passed the newest schema, and a step passes on unknown fields. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

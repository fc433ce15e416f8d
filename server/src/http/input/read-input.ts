import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { ApiError, notFound, validationError } from '#kernel/errors.ts'
import type { Route } from '../route.ts'
import { type Behaviour, behaviour, type Version } from '../versions.ts'
import { fieldErrors, fieldPath } from './field-errors.ts'
import { inspect, isStorable, type TextProblem } from './plain-text.ts'
import { queryError, type RawQuery, readQuery, UNSTORABLE } from './read-query.ts'

// By default the library stops after 8 errors, which is too few for a union. Without any limit a large invalid body
// would be expensive.
Settings.Set({ maxErrors: 200 })

export type RawInput = { readonly params: unknown; readonly query: RawQuery; readonly body: unknown }
export type Input = { readonly params: unknown; readonly query: unknown; readonly body: unknown }
export type InputReader = (raw: RawInput, version: Version) => Input

/** Validates the three parts of a request against the route's schemas, in the order path (404), query (400), body (422). */
export function inputReader({ schema, bodyAs, queryAs }: Pick<Route, 'schema' | 'bodyAs' | 'queryAs'>): InputReader {
  const params = paramsReader(schema.params)
  const query = queryAs === 'raw' ? (raw: RawQuery) => raw : queryReader(schema.query)
  const body = bodyAs === 'text' ? (raw: unknown) => raw ?? '' : bodyReader(schema.body)
  return (raw, version) => ({ params: params(raw.params), query: query(raw.query), body: body(raw.body, version) })
}

type Schema = Route['schema']['body']

/**
 * Caches the result for each schema. Schemas are mostly constants, so a process that composes the service many times, as tests
 * do, compiles each schema once.
 */
function oncePerSchema<T>(make: (schema: TSchema) => T): (schema: TSchema) => T {
  const made = new WeakMap<TSchema, { readonly what: T }>()
  return (schema) => {
    const found = made.get(schema) ?? { what: make(schema) }
    made.set(schema, found)
    return found.what
  }
}

const validatorOf = oncePerSchema((schema) => Compile(schema))

/** A malformed id gets the same response as an unknown id. */
function paramsReader(schema: Schema): (params: unknown) => unknown {
  const validator = schema && validatorOf(schema)
  return (params) => {
    const texts = Object.values(params ?? {})
    if (!texts.every((text) => typeof text === 'string' && isStorable(text))) throw notFound('unstorable path')
    if (validator === undefined) return undefined
    if (!validator.Check(params)) throw notFound('malformed path parameter')
    return params
  }
}

function queryReader(schema: Schema): (query: RawQuery) => unknown {
  if (schema === undefined) return () => undefined
  const validator = validatorOf(schema)
  const fill = hasDefaults(schema) ? (query: unknown) => validator.Default(query) : (query: unknown) => query
  return (raw) => {
    const query = fill(readQuery(schema, raw))
    if (!validator.Check(query)) throw queryError(fieldErrors(validator.Errors(query), 'query'))
    return query
  }
}

const NO_FIELDS = Type.Object({})

function bodyReader(schema: Schema): (body: unknown, version: Version) => unknown {
  const read = readBodyOf(schema ?? NO_FIELDS)
  return (raw, version) => {
    const body = read(raw === undefined ? {} : raw, behaviour(version))
    return schema === undefined ? undefined : body
  }
}

/**
 * Whether the schema has defaults. Filling them in walks the whole schema, which costs more than all other work for a short
 * query.
 */
function hasDefaults(schema: TSchema): boolean {
  return JSON.stringify(schema).includes('"default":')
}

/**
 * The errors of an invalid body with more values than this are not collected, because that could block the event loop
 * for a second.
 */
const EXPLAINED_VALUES_MAX = 10_000

/**
 * Values are never coerced: `"5"` is not a number. An absent body is read as `{}`, so that the error can name missing fields, and
 * a route without required fields accepts the request. A route without a body schema accepts a body without fields.
 */
const readBodyOf = oncePerSchema((schema): ((body: unknown, rules: Behaviour) => unknown) => {
  const open = validatorOf(schema)
  const closed = Compile(closeSchema(schema))
  const fill = hasDefaults(schema) ? (body: unknown) => open.Default(body) : (body: unknown) => body
  return (sent, { unknownBodyFields }) => {
    const { problem, values } = inspect(sent)
    rejectTextProblem(problem)
    const body = fill(sent)
    if (closed.Check(body)) return body
    const tolerant = unknownBodyFields === 'ignored'
    const validator = tolerant ? open : closed
    const knownFields = tolerant ? open.Clean(body) : body
    if (validator.Check(knownFields)) return knownFields
    if (values > EXPLAINED_VALUES_MAX) throw validationError([TOO_MUCH_TO_EXPLAIN])
    throw validationError(fieldErrors(validator.Errors(knownFields), 'body'))
  }
})

const TOO_MUCH_TO_EXPLAIN = { field: 'body', code: 'invalid', message: 'is invalid; send a smaller body to see where' }

function rejectTextProblem(found: TextProblem | null): void {
  if (found === null) return
  const field = fieldPath(found.path, 'body')
  switch (found.problem) {
    case 'unstorable_text':
      throw validationError([{ field, code: 'invalid_text', message: UNSTORABLE }])
    case 'reserved_name':
      throw validationError([{ field, code: 'unknown_field', message: 'has a field named __proto__' }])
    case 'too_deep':
      throw new ApiError('invalid_request', { public: 'The request body is nested too deeply.' })
  }
}

type Keywords = Readonly<Record<string, unknown>>

const MAPS_OF_SCHEMAS = ['properties', 'patternProperties']
const LISTS_OF_SCHEMAS = ['anyOf', 'oneOf', 'prefixItems']
const SINGLE_SCHEMAS = ['items', 'additionalProperties']

/**
 * The same schema with all objects closed unless they declare additional properties, so that a misspelt field is rejected instead
 * of ignored. The members of an intersection stay open and only the intersection is closed. Otherwise each member would reject
 * the fields of the others.
 */
function closeSchema(schema: object): object {
  return close(schema as Keywords, true)
}

function close(schema: Keywords, closing: boolean): Keywords {
  const out: Record<string, unknown> = { ...schema }
  for (const key of MAPS_OF_SCHEMAS) {
    if (isKeywords(out[key]))
      out[key] = Object.fromEntries(Object.entries(out[key]).map(([name, at]) => [name, inner(at)]))
  }
  for (const key of LISTS_OF_SCHEMAS) if (Array.isArray(out[key])) out[key] = out[key].map(inner)
  for (const key of SINGLE_SCHEMAS) out[key] = inner(out[key])
  if (Array.isArray(out['items'])) out['items'] = out['items'].map(inner)
  if (Array.isArray(out['allOf'])) {
    out['allOf'] = out['allOf'].map((member) => (isKeywords(member) ? close(member, false) : member))
    if (closing) out['unevaluatedProperties'] ??= false
  } else if (closing && isKeywords(out['properties']) && out['patternProperties'] === undefined) {
    out['additionalProperties'] ??= false
  }
  // A keyword that is undefined is removed, because a validator does not treat it as absent.
  return Object.fromEntries(Object.entries(out).filter(([, value]) => value !== undefined))
}

function inner(schema: unknown): unknown {
  return isKeywords(schema) ? close(schema, true) : schema
}

function isKeywords(value: unknown): value is Keywords {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import { STAND_IN } from '#http/openapi-examples.ts'
import type { JsonSchema } from '#http/openapi-types.ts'
import { type Components, nameIn } from './endpoints.ts'

type Schemas = Components['schemas']

/** Deep enough for every record of the API. The example of a schema that contains itself ends at this depth. */
const DEPTH_MAX = 8

/** Where the value is in a record. */
type At = {
  readonly depth: number
  /** The name of the field, or of the list that contains the value. */
  readonly name?: string
  /** Whether only required fields are included, so that the example is short. */
  readonly brief?: boolean
}

/** A value that the schema accepts. It is the same every time, so that the page and its tests are stable. */
export function exampleOf(schema: JsonSchema, schemas: Schemas, at: At = { depth: 0 }): unknown {
  const { $ref, examples, allOf } = schema
  const inside = { ...at, depth: at.depth + 1 }
  if (at.depth > DEPTH_MAX) return null
  if ($ref !== undefined) return exampleOf(schemas[nameIn($ref)] ?? {}, schemas, inside)
  if (examples?.[0] !== undefined) return examples[0]
  const given = schema.default ?? schema.const ?? schema.enum?.[0]
  if (given !== undefined) return given
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((part) => exampleOf(part, schemas, inside)))
  const choice = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null')
  if (choice !== undefined) return exampleOf(choice, schemas, inside)
  return ofType(schema, schemas, at)
}

function ofType(schema: JsonSchema, schemas: Schemas, at: At): unknown {
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.find((name) => name !== 'null')
  switch (type) {
    case 'object':
      return objectExample(schema, schemas, at)
    case 'array':
      return arrayExample(schema, schemas, at)
    case 'string':
      return textExample(schema, at.name)
    case 'integer':
    case 'number':
      return numberExample(schema, at.name)
    case 'boolean':
      return true
    default:
      return null
  }
}

function objectExample(schema: JsonSchema, schemas: Schemas, { depth, brief }: At): Record<string, unknown> {
  const inside = { depth: depth + 1, ...(brief === undefined ? {} : { brief }) }
  const shown = Object.entries(schema.properties ?? {}).filter(
    ([name]) => brief !== true || schema.required?.includes(name) === true,
  )
  const knownProperties = shown.map(([name, property]) => [name, exampleOf(property, schemas, { ...inside, name })])
  const { additionalProperties: others } = schema
  const other = typeof others === 'object' && brief !== true ? [['name', exampleOf(others, schemas, inside)]] : []
  return Object.fromEntries([...knownProperties, ...other])
}

function arrayExample(schema: JsonSchema, schemas: Schemas, at: At): unknown[] {
  const inside = { ...at, depth: at.depth + 1 }
  const first = (schema.prefixItems ?? []).map((item) => exampleOf(item, schemas, inside))
  if (typeof schema.items !== 'object' || at.depth >= DEPTH_MAX) return first
  const item = exampleOf(schema.items, schemas, inside)
  const wanted = Math.max(1, schema.minItems ?? 1) - first.length
  return [...first, ...Array.from({ length: Math.max(0, wanted) }, () => item)]
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-11-15T08:30:00.123456Z',
  date: '2026-11-15',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '018f2f9e-7b1a-7c3d-8e4f-5a6b7c8d9e0f',
}

/**
 * The pattern of an id is a prefix and a fixed number of letters and digits. A schema with another pattern must declare an
 * example.
 */
const ID_PATTERN = /^\^([a-z]+_)\[0-9A-Za-z\]\{(\d+)\}\$$/

function textExample({ format, pattern, minLength = 0, maxLength }: JsonSchema, name = ''): string {
  const id = ID_PATTERN.exec(pattern ?? '')
  if (id !== null) return `${id[1]}${STAND_IN.slice(0, Number(id[2]))}`
  const usual = BY_FORMAT[format ?? ''] ?? USUAL_TEXT[name]
  const fits = usual !== undefined && usual.length >= minLength && usual.length <= (maxLength ?? usual.length)
  return fits ? usual : 'text'.padEnd(minLength, 'x').slice(0, maxLength)
}

function numberExample({ minimum, exclusiveMinimum, maximum }: JsonSchema, name = ''): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1)
  const usual = name.endsWith('_cents') ? USUAL_CENTS : 1
  return Math.min(Math.max(usual, least), maximum ?? Number.POSITIVE_INFINITY)
}

/**
 * The usual content of a field with this name. Without this list the example of a plain string would be "text", which the
 * server rejects as, for example, a country.
 */
const USUAL_TEXT: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  password: 'lantern over a quiet harbour',
  q: 'energy',
  reason: 'Because of what was found in the review.',
  bio: 'I build engines.',
  city: 'London',
  state: 'CA',
  country: 'US',
  scope: 'read:public',
  scopes: 'read:profile',
  client_id: 'pk_test_your_key',
  client_secret: 'sk_test_your_secret',
  token: 'at_test_some_token',
}

/** The example of an amount is a multiple of 100, because amounts are whole units. */
const USUAL_CENTS = 25_000

import type { JsonSchema } from '../openapi-types.ts'
import { type Components, nameIn } from './endpoints.ts'

type Schemas = Components['schemas']

/** Deep enough for every record we have; a schema that contains itself stops here. */
const DEPTH_MAX = 8

/** A value the schema would accept, the same every time, so that the page and its tests do not flicker. */
export function exampleOf(schema: JsonSchema, schemas: Schemas, depth = 0): unknown {
  const { $ref, examples, allOf } = schema
  if (depth > DEPTH_MAX) return null
  if ($ref !== undefined) return exampleOf(schemas[nameIn($ref)] ?? {}, schemas, depth + 1)
  if (examples?.[0] !== undefined) return examples[0]
  const given = schema.default ?? schema.const ?? schema.enum?.[0]
  if (given !== undefined) return given
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((part) => exampleOf(part, schemas, depth + 1)))
  const choice = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null')
  if (choice !== undefined) return exampleOf(choice, schemas, depth + 1)
  return ofType(schema, schemas, depth)
}

function ofType(schema: JsonSchema, schemas: Schemas, depth: number): unknown {
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.find((name) => name !== 'null')
  switch (type) {
    case 'object':
      return objectExample(schema, schemas, depth)
    case 'array':
      return arrayExample(schema, schemas, depth)
    case 'string':
      return textExample(schema)
    case 'integer':
    case 'number':
      return numberExample(schema)
    case 'boolean':
      return true
    default:
      return null
  }
}

function objectExample(schema: JsonSchema, schemas: Schemas, depth: number): Record<string, unknown> {
  const known = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    exampleOf(property, schemas, depth + 1),
  ])
  const { additionalProperties: others } = schema
  const other = typeof others === 'object' ? [['name', exampleOf(others, schemas, depth + 1)]] : []
  return Object.fromEntries([...known, ...other])
}

function arrayExample(schema: JsonSchema, schemas: Schemas, depth: number): unknown[] {
  const first = (schema.prefixItems ?? []).map((item) => exampleOf(item, schemas, depth + 1))
  if (typeof schema.items !== 'object' || depth >= DEPTH_MAX) return first
  const item = exampleOf(schema.items, schemas, depth + 1)
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

/** Our ids' patterns are a prefix and a fixed number of letters; other patterns need an example of their own. */
const ID_PATTERN = /^\^([a-z]+_)\[0-9A-Za-z\]\{(\d+)\}\$$/
const ID_LETTERS = '0V3xkQ2b9TzQ4mYcW8sLr7Hp'

function textExample({ format, pattern, minLength = 0, maxLength }: JsonSchema): string {
  const id = ID_PATTERN.exec(pattern ?? '')
  if (id !== null) return `${id[1]}${ID_LETTERS.slice(0, Number(id[2]))}`
  return BY_FORMAT[format ?? ''] ?? 'text'.padEnd(minLength, 'x').slice(0, maxLength)
}

function numberExample({ minimum, exclusiveMinimum, maximum }: JsonSchema): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1)
  return Math.min(Math.max(1, least), maximum ?? Number.POSITIVE_INFINITY)
}

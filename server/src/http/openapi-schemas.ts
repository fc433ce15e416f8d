import type { JsonSchema } from './openapi-types.ts'

/**
 * Converts route schemas to the document's schemas: a named schema becomes one component, and every use refers to it. The name
 * is its `$id`, or a `title` that is a single capitalised word; a title with spaces is only a title.
 */
export type SchemaComponents = {
  /** The schema as it appears inside the document: the schema itself, or a reference to its component. */
  place(schema: object): JsonSchema
  /** All named schemas so far, by name. Throws if a schema refers to an undefined name. */
  all(): Record<string, JsonSchema>
}

type Keywords = Readonly<Record<string, unknown>>

/**
 * Marks a field that is needed only for responses in older versions. The document describes the newest version and leaves the
 * field out.
 */
export const OLDER_VERSIONS_ONLY = 'x-older-versions-only'

const COMPONENT_NAME = /^[A-Za-z0-9._-]+$/
const TITLE_AS_NAME = /^[A-Z][A-Za-z0-9]*$/
const MAPS_OF_SCHEMAS = new Set(['properties', 'patternProperties'])
const LISTS_OF_SCHEMAS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const SINGLE_SCHEMAS = new Set([
  'items',
  'additionalProperties',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
])

export function schemaComponents(): SchemaComponents {
  const schemasByName = new Map<string, { readonly schema: JsonSchema; readonly text: string }>()
  const wanted = new Set<string>()

  function place(schema: object): JsonSchema {
    const keywords = schema as Keywords
    const name = nameOf(keywords)
    if (name === undefined) return translate(keywords)
    define(name, keywords)
    return referTo(name)
  }

  function define(name: string, { $id: _id, title: _title, ...keywords }: Keywords): void {
    const schema = translate(keywords)
    const text = JSON.stringify(schema)
    const earlier = schemasByName.get(name)
    if (earlier !== undefined && earlier.text !== text) {
      throw new Error(`two different schemas are named ${name}: one component cannot be both`)
    }
    schemasByName.set(name, { schema, text })
  }

  function referTo(name: string): JsonSchema {
    wanted.add(name)
    return { $ref: `#/components/schemas/${name}` }
  }

  function translate(keywords: Keywords): JsonSchema {
    const out: Record<string, unknown> = {}
    for (const [keyword, value] of Object.entries(modern(keywords))) {
      if (keyword === '$ref' && typeof value === 'string') Object.assign(out, referTo(value))
      else if (keyword === '$defs') for (const [name, schema] of Object.entries(asMap(value))) define(name, schema)
      else out[keyword] = inside(keyword, value)
    }
    return shorten(out)
  }

  function inside(keyword: string, value: unknown): unknown {
    if (MAPS_OF_SCHEMAS.has(keyword)) {
      const shown = Object.entries(asMap(value)).filter(([, schema]) => schema[OLDER_VERSIONS_ONLY] !== true)
      return Object.fromEntries(shown.map(([key, schema]) => [key, place(schema)]))
    }
    if (LISTS_OF_SCHEMAS.has(keyword)) return (value as readonly object[]).map(place)
    if (SINGLE_SCHEMAS.has(keyword) && typeof value === 'object' && value !== null) return place(value)
    return value
  }

  function all(): Record<string, JsonSchema> {
    for (const name of wanted)
      if (!schemasByName.has(name)) throw new Error(`a schema refers to ${name}, which is not defined`)
    const names = [...schemasByName.keys()].sort()
    return Object.fromEntries(names.map((name) => [name, schemasByName.get(name)?.schema ?? {}]))
  }

  return { place, all }
}

function nameOf({ $id, title }: Keywords): string | undefined {
  if (typeof $id === 'string') {
    if (!COMPONENT_NAME.test($id)) throw new Error(`a schema's $id cannot name a component: ${$id}`)
    return $id
  }
  return typeof title === 'string' && TITLE_AS_NAME.test(title) ? title : undefined
}

function asMap(value: unknown): Readonly<Record<string, Keywords>> {
  return value as Readonly<Record<string, Keywords>>
}

/** TypeBox writes tuples and records in older drafts' keywords; OpenAPI 3.1 uses 2020-12. */
function modern(keywords: Keywords): Keywords {
  const { items, additionalItems, patternProperties, ...rest } = keywords
  if (Array.isArray(items)) return { ...rest, prefixItems: items, items: additionalItems ?? true }
  const patterns = patternProperties === undefined ? [] : Object.entries(asMap(patternProperties))
  const [any, ...others] = patterns
  if (any?.[0] === '^.*$' && others.length === 0) return { ...rest, additionalProperties: any[1] }
  return keywords
}

/** A union of constants becomes an enum, and a nullable type becomes a type with two names. */
function shorten(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  if (anyOf === undefined) return schema
  if (anyOf.every(isBareConstant)) return enumOf(anyOf, rest)
  const [first, second, ...others] = anyOf
  if (first === undefined || second?.type !== 'null' || others.length > 0) return schema
  const plain = typeof first.type === 'string' && first.const === undefined && first.enum === undefined
  return plain ? { ...first, ...rest, type: [first.type, 'null'] } : schema
}

function isBareConstant(schema: JsonSchema): boolean {
  const bare = Object.keys(schema).every((keyword) => keyword === 'type' || keyword === 'const')
  return bare && (schema.const !== undefined || schema.type === 'null')
}

function enumOf(constants: readonly JsonSchema[], rest: JsonSchema): JsonSchema {
  const types = [...new Set(constants.flatMap(({ type }) => type ?? []))]
  const [only] = types
  const type = types.length === 1 && only !== undefined ? only : types
  return { type, enum: constants.map((constant) => constant.const ?? null), ...rest }
}

/**
 * An option for the schema of a query field that names a record. It adds 404 to the document, the response for an unknown record.
 */
export const UNKNOWN_IS_404 = { 'x-unknown': 404 } as const

export function namesSomething(query: (object & JsonSchema) | undefined): boolean {
  return Object.values(query?.properties ?? {}).some((field) => Reflect.get(field, 'x-unknown') === 404)
}

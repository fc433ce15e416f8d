import { describe, expect, test } from 'vitest'
import { describedRoutes } from '#main/generated-documents.ts'
import { openApiDocument } from '../../src/http/openapi.ts'

/**
 * "Money in the newest version is integer minor units with `_cents` and a `currency` beside it." Walks every response
 * of the OpenAPI document. A field whose name contains a money word must follow the rule, unless a list below exempts
 * it.
 */
type Schema = Readonly<Record<string, unknown>>
type Found = { readonly field: string; readonly problem: string }

const MONEY =
  /(^|_)(amount|amounts|raised|price|valuation|value|cost|gain|total|cap|target|budget|fee|allocation|committed|investment|sum|escrow|refund|balance|cents)(_|$)/

/** The offering fields of the specification. They are in whole units, and each has a `_cents` field next to it. */
const WHOLE_UNITS = new Set(['amount_raised', 'funding_target', 'min_investment'])

/** Names that the rule leaves out, such as counts, ids, prices of one share, and objects that contain amounts. */
const NO_MONEY: ReadonlySet<string> = new Set([
  'amounts',
  'amount_tier',
  'by_amount_tier',
  'average_share_price',
  'current_share_price',
  'share_price',
  'repayment_cap_multiple',
  'total_count',
  'total_deals',
  'total_investors',
  'total_members',
  'total',
  'totals',
  'total_by_currency',
  'raised_by_currency',
  'investment',
  'investment_id',
  'investment_token',
  'investment_type',
  'investment_documents',
  'investment_count',
  'target',
  'target_id',
  'target_type',
  'require_minimum_investment',
  'old_values',
  'new_values',
  'retry_after',
  'management_fee_discount_percentage',
])

/** Query parameters that the response repeats. They are in whole units, as the parameter says. */
const ECHOED = new Set(['max_min_investment', 'min_amount_raised'])

/** Disclosures are shown as the company filed them. Their amounts are free text. */
const AS_FILED = 'GET /companies/{id}/disclosures 200.'

function violations(document: Schema): Found[] {
  const schemas = schemasOf(document)
  const found: Found[] = []
  for (const { name, schema } of responsesOf(document)) {
    walk(schema, { at: name, currency: false, schemas, found, seen: new Set() })
  }
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()]
}

type Walk = {
  readonly at: string
  /** Whether an enclosing object names the currency. */
  readonly currency: boolean
  readonly schemas: Schema
  readonly found: Found[]
  readonly seen: ReadonlySet<unknown>
}

function walk(given: unknown, context: Walk): void {
  const schema = resolved(given, context.schemas)
  if (schema === null || context.seen.has(schema)) return
  const inside = { ...context, seen: new Set([...context.seen, schema]) }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    for (const option of (schema[key] as unknown[] | undefined) ?? []) walk(option, inside)
  }
  walk(schema['items'], inside)
  walk(schema['additionalProperties'], inside)
  const properties = (schema['properties'] ?? {}) as Schema
  const currency = context.currency || namesCurrency(properties, context.schemas)
  for (const [name, property] of Object.entries(properties)) {
    const field = `${context.at}.${name}`
    const shape = resolved(property, context.schemas) ?? {}
    const problem = problemOf(name, { property: shape, properties, currency })
    const isFiledText = field.startsWith(AS_FILED) && [shape['type']].flat().includes('string')
    if (problem !== null && !isFiledText) context.found.push({ field, problem })
    walk(property, { ...inside, at: field, currency })
  }
}

type Field = { readonly property: Schema; readonly properties: Schema; readonly currency: boolean }

function problemOf(name: string, { property, properties, currency }: Field): string | null {
  if (!MONEY.test(name) || NO_MONEY.has(name) || ECHOED.has(name)) return null
  const types = [property['type']].flat()
  if (name.endsWith('_cents')) {
    if (!types.includes('integer')) return 'is not an integer'
    return currency ? null : 'has no currency beside it'
  }
  // Flags, times, identifiers and objects are not amounts.
  if (types.includes('boolean') || types.includes('object') || types.includes('array')) return null
  if ('format' in property || 'pattern' in property || 'enum' in property) return null
  if (!WHOLE_UNITS.has(name)) return 'does not end in _cents'
  if (!types.includes('integer')) return 'is not an integer of whole units'
  return `${name}_cents` in properties ? null : 'has no _cents field beside it'
}

/** Returns whether the object or its `amounts` object names the currency. Investment records have it in `amounts`. */
function namesCurrency(properties: Schema, schemas: Schema): boolean {
  if ('currency' in properties) return true
  const amounts = resolved(properties['amounts'], schemas)
  return amounts !== null && 'currency' in ((amounts['properties'] ?? {}) as Schema)
}

function resolved(schema: unknown, schemas: Schema): Schema | null {
  if (typeof schema !== 'object' || schema === null) return null
  const { $ref } = schema as { $ref?: string }
  return $ref === undefined ? (schema as Schema) : ((schemas[$ref.split('/').at(-1) ?? ''] ?? null) as Schema | null)
}

function schemasOf(document: Schema): Schema {
  return ((document['components'] as Schema | undefined)?.['schemas'] ?? {}) as Schema
}

function responsesOf(document: Schema) {
  const paths = document['paths'] as Record<string, Record<string, Schema>>
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      Object.entries((operation['responses'] ?? {}) as Record<string, Schema>)
        .filter(([status]) => status.startsWith('2'))
        .map(([status, response]) => {
          const content = (response['content'] ?? {}) as Record<string, Schema>
          const schema = content['application/json']?.['schema']
          return { name: `${method.toUpperCase()} ${path} ${status}`, schema }
        }),
    ),
  )
}

const DOCUMENT = openApiDocument(describedRoutes(), {
  title: 'Portico',
  brand: 'wefunder',
  baseUrl: 'https://portico.example',
  webhooks: [],
}) as unknown as Schema

describe('money in every response of the newest version', () => {
  test('is in integer minor units with a currency next to it', () => {
    expect(violations(DOCUMENT)).toEqual([])
  })

  test('exemption is one string everywhere', () => {
    const texts = JSON.stringify(DOCUMENT)
    expect(texts).toContain('"exemption"')
    const wrong: string[] = []
    const collectAmounts = (value: unknown, at: string) => {
      if (typeof value !== 'object' || value === null) return
      const { properties } = value as { properties?: Record<string, unknown> }
      const exemption = resolved(properties?.['exemption'], schemasOf(DOCUMENT))
      if (exemption !== null && exemption !== undefined && ![exemption['type']].flat().includes('string'))
        wrong.push(at)
      for (const [key, inner] of Object.entries(value)) collectAmounts(inner, `${at}/${key}`)
    }
    collectAmounts(DOCUMENT, '#')
    expect(wrong).toEqual([])
  })

  const response = (properties: Schema) => ({
    paths: {
      '/x': {
        get: { responses: { 200: { content: { 'application/json': { schema: { type: 'object', properties } } } } } },
      },
    },
  })

  test.each([
    ['a decimal in a string', { amount: { type: 'string' }, currency: { type: 'string' } }],
    ['cents without a currency', { amount_cents: { type: 'integer' } }],
    ['cents in a string', { amount_cents: { type: 'string' }, currency: { type: 'string' } }],
    ['whole units without a _cents field', { amount_raised: { type: 'integer' }, currency: { type: 'string' } }],
  ])('the test finds %s', (_what, properties) => {
    expect(violations(response(properties))).toHaveLength(1)
  })
})

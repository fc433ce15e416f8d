import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { EVENT_DATA } from '#events/http.ts'
import type { EventName } from '#events/index.ts'
import { idOf, line, nullable } from '#http/schema-fields.ts'
import { WORLDS } from '#kernel/world.ts'
import { type FactType, factType } from './fact-type.ts'
import { FACT_GROUPS } from './fact-types.ts'
import { feedDocument, fieldRows } from './feed-document.ts'
import { AmountCents, Time } from './fields.ts'
import { serveFeed } from './testing/feed.ts'

const BEGIN = '<!-- The catalogue below is generated from the code by `npm run generate`; do not edit. -->'
const END = '<!-- End of the catalogue. -->'
const FRAME = `# Title\n\nProse.\n\n${BEGIN}\nold\n${END}\n\nMore prose.\n`

type Fact = { readonly id: string; readonly type: string }

/** The facts in all code blocks of the document, in order. */
function factsIn(document: string): Fact[] {
  const blocks = [...document.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => text)
  return blocks
    .flatMap((text) => (text.startsWith('{"') ? text.trim().split('\n') : [text]))
    .map((text) => JSON.parse(text))
}

const TYPES: readonly FactType[] = FACT_GROUPS.flatMap(({ facts }) => facts)
const feed = serveFeed(TYPES)

describe('the examples of the documentation', () => {
  const facts = factsIn(feedDocument(FRAME, FACT_GROUPS))

  test('the examples have every fact type, and each fact has its own id', () => {
    expect(new Set(facts.map(({ type }) => type))).toEqual(new Set(TYPES.map(({ type }) => type)))
    expect(new Set(facts.map(({ id }) => id)).size).toBe(facts.length)
  })

  test.each(WORLDS)('all examples are applied in an empty %s world', async (world) => {
    const outcomes = await feed().send(facts, world)
    expect(
      outcomes
        .filter(({ status }) => status !== 'applied')
        .map((each, at) => ({ ...each, fact: facts.find(({ id }) => id === each.id) ?? at })),
    ).toEqual([])
  })

  test.each(WORLDS)('in the %s world the events of the examples match the schemas of the catalogue', async (world) => {
    const caused = await Promise.all(
      facts.map(async ({ id }) => {
        const { data } = (await (await feed().get(id, world)).json()) as {
          data: { events: { event: EventName; data: unknown }[] }
        }
        return data.events
      }),
    )
    expect(caused.flat().length).toBeGreaterThan(0)
    for (const { event, data } of caused.flat()) {
      expect({ event, errors: Value.Errors(EVENT_DATA[event], data) }).toEqual({ event, errors: [] })
    }
  })

  test('all examples are duplicates when sent again, and nothing changes', async () => {
    const outcomes = await feed().send(facts)
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['duplicate']))
  })
})

describe('the document', () => {
  test('the generator replaces the part between the marks and keeps the rest of the document', () => {
    const document = feedDocument(FRAME, FACT_GROUPS)
    expect(document).toMatch(/^# Title\n\nProse\.\n/)
    expect(document).toMatch(/\n\nMore prose\.\n$/)
    expect(document).not.toContain('\nold\n')
    expect(feedDocument(document, FACT_GROUPS)).toBe(document)
  })

  test('a document without the marks is not overwritten', () => {
    expect(() => feedDocument('# Title\n', FACT_GROUPS)).toThrow('marks')
  })

  test('the document has each field with its type and limits', () => {
    const form = (type: string, terms: Parameters<typeof Type.Object>[0]) =>
      Type.Object({ type: Type.Literal(type), terms: Type.Object(terms) })
    const data = Type.Object({
      id: idOf('user'),
      name: Type.Optional(nullable(line(200))),
      amount_cents: AmountCents,
      at: Time,
      word: Type.Enum(['a', 'b']),
      code: Type.String({ pattern: '^x$' }),
      place: nullable(Type.Object({ city: Type.Optional(line(9)) })),
      rounds: Type.Array(Type.Object({ n: Type.Integer({ minimum: 1, maximum: 5 }) }), { maxItems: 3 }),
      security: nullable(Type.Union([form('safe', { cap: Type.Boolean() }), form('debt', {})])),
    })
    const rows = fieldRows(data).map(({ field, required, words }) => `${field} ${required ? 'yes' : 'no'} ${words}`)
    expect(rows).toEqual([
      'id yes `usr_` id',
      'name no line, up to 200, or null',
      'amount_cents yes cents, at least 100',
      'at yes time',
      'word yes one of `a`, `b`',
      'code yes `^x$`',
      'place yes object, or null',
      'place.city no line, up to 9',
      'rounds yes list of up to 3: object',
      'rounds[].n yes integer, at least 1, at most 5',
      'security yes object, or null',
      'security (safe).terms yes object',
      'security (safe).terms.cap yes true or false',
      'security (debt).terms yes object',
    ])
  })
})

describe('the table of facts', () => {
  test('two fact types with the same name are rejected', async () => {
    const { factTable } = await import('./fact-type.ts')
    const one = factType({ type: 'a.b', summary: '', data: Type.Object({}), example: {}, apply: async () => {} })
    expect(() => factTable([one, one])).toThrow('two fact types are named a.b')
  })

  test.each(TYPES.map((fact) => [fact.type, fact] as const))(
    '%s rejects unknown fields at every level',
    (_type, { data }) => {
      expect(openObjects(data)).toEqual([])
    },
  )
})

/** The objects in which a misspelt field would be lost silently. */
function openObjects(schema: unknown, path = 'data'): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const hasKeyword = (keyword: string) => Reflect.get(schema, keyword) !== undefined
  const isObject = Reflect.get(schema, 'type') === 'object'
  const open = isObject && !hasKeyword('additionalProperties') && !hasKeyword('patternProperties')
  const below = Object.entries(schema).flatMap(([key, value]) => openObjects(value, `${path}/${key}`))
  return open ? [path, ...below] : below
}

import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { schemaComponents } from '#http/openapi-schemas.ts'
import { idPattern } from '#kernel/ids.ts'
import { exampleOf } from './example.ts'

function exampleFor(schema: object): unknown {
  const schemas = schemaComponents()
  const placed = schemas.place(schema)
  return exampleOf(placed, schemas.all())
}

describe('an example', () => {
  const Company = Type.Object({ id: Type.String({ pattern: idPattern('company') }) }, { title: 'Company' })

  test.each([
    Type.Object({ company: Company, more: Type.Optional(Type.Array(Company, { minItems: 2 })) }),
    Type.Intersect([Company, Type.Object({ name: Type.String({ minLength: 7 }) })]),
    Type.Record(Type.String(), Type.Integer({ minimum: 5 })),
    Type.Tuple([Type.String(), Type.Boolean()]),
    Type.Union([Type.Null(), Type.Integer({ exclusiveMinimum: 3 }), Type.String()]),
    Type.Union([Type.Literal('open'), Type.Literal('closed')]),
    Type.Union([Type.String({ maxLength: 2 }), Type.Null()]),
    Type.Number({ maximum: 0 }),
    Type.Unknown(),
  ])('is accepted by its schema: %j', (schema) => {
    expect(Check(schema, exampleFor(schema))).toBe(true)
  })

  test('is the example or default in the schema, if there is one', () => {
    expect(exampleFor(Type.String({ examples: ['Fieldbook'] }))).toBe('Fieldbook')
    expect(exampleFor(Type.Integer({ default: 25 }))).toBe(25)
  })

  test('of a field with a known name such as email is a fitting value, if the schema allows it', () => {
    expect(exampleFor(Type.Object({ email: Type.String() }))).toEqual({ email: 'ada@example.com' })
    expect(exampleFor(Type.Object({ email: Type.String({ maxLength: 3 }) }))).toEqual({ email: 'tex' })
  })

  test('that is brief has only the required fields, at every depth', () => {
    const Inner = Type.Object({ b: Type.String(), c: Type.Optional(Type.String()) })
    const schema = Type.Object({ a: Inner, list: Type.Array(Inner), d: Type.Optional(Type.String()) })
    const schemas = schemaComponents()
    expect(exampleOf(schemas.place(schema), schemas.all(), { depth: 0, brief: true })).toEqual({
      a: { b: 'text' },
      list: [{ b: 'text' }],
    })
  })

  test('of a schema that contains itself is finite', () => {
    const Tree = Type.Cyclic({ Tree: Type.Object({ children: Type.Array(Type.Ref('Tree')) }) }, 'Tree')
    expect(JSON.stringify(exampleFor(Tree)).length).toBeLessThan(500)
  })
})

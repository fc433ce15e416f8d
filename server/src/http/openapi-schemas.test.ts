import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { schemaComponents } from './openapi-schemas.ts'

const place = (schema: object) => schemaComponents().place(schema)

describe('a schema in the document', () => {
  test('becomes a component when it has an $id or a one-word title', () => {
    const schemas = schemaComponents()
    expect(schemas.place(Type.String({ $id: 'Name' }))).toEqual({ $ref: '#/components/schemas/Name' })
    expect(schemas.place(Type.Integer({ title: 'Amount' }))).toEqual({ $ref: '#/components/schemas/Amount' })
    expect(schemas.place(Type.String({ title: 'Two words' }))).toEqual({ type: 'string', title: 'Two words' })
    expect(schemas.all()).toEqual({ Amount: { type: 'integer' }, Name: { type: 'string' } })
  })

  test('may be used twice, also as an optional field, but two different schemas cannot share a name', () => {
    const schemas = schemaComponents()
    const Name = Type.String({ title: 'Name' })
    schemas.place(Type.Object({ a: Name, b: Type.Optional(Name), c: Type.Array(Name) }))
    expect(() => schemas.place(Type.String({ title: 'Name', maxLength: 3 }))).toThrow(
      'two different schemas are named Name',
    )
  })

  test('may refer to itself', () => {
    const schemas = schemaComponents()
    const Tree = Type.Cyclic({ Tree: Type.Object({ children: Type.Array(Type.Ref('Tree')) }) }, 'Tree')
    expect(schemas.place(Tree)).toEqual({ $ref: '#/components/schemas/Tree' })
    expect(schemas.all()['Tree']?.properties).toEqual({
      children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
    })
  })

  test('must not refer to an undefined component', () => {
    const schemas = schemaComponents()
    schemas.place(Type.Ref('Ghost'))
    expect(() => schemas.all()).toThrow('a schema refers to Ghost, which is not defined')
  })

  test('rejects an $id that cannot be a component', () => {
    expect(() => place(Type.String({ $id: 'https://example.com/x' }))).toThrow('cannot name a component')
  })

  test('uses JSON Schema 2020-12', () => {
    expect(place(Type.Tuple([Type.String(), Type.Integer()]))).toMatchObject({
      prefixItems: [{ type: 'string' }, { type: 'integer' }],
      items: false,
    })
    expect(place(Type.Record(Type.String(), Type.Integer()))).toEqual({
      type: 'object',
      additionalProperties: { type: 'integer' },
    })
  })

  test('writes a union of constants as an enum and a nullable as a type of two names', () => {
    expect(place(Type.Union([Type.Literal('open'), Type.Literal('closed')], { description: 'State' }))).toEqual({
      type: 'string',
      enum: ['open', 'closed'],
      description: 'State',
    })
    expect(place(Type.Union([Type.Literal('a'), Type.Null()]))).toEqual({ type: ['string', 'null'], enum: ['a', null] })
    expect(place(Type.Union([Type.String({ maxLength: 9 }), Type.Null()]))).toEqual({
      type: ['string', 'null'],
      maxLength: 9,
    })
    const both = Type.Union([Type.String(), Type.Integer()])
    expect(place(both)).toEqual({ anyOf: [{ type: 'string' }, { type: 'integer' }] })
  })
})

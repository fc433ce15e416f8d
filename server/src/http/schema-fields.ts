import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { type Id, type IdKind, idPattern } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { LINE_PATTERN } from '#kernel/text.ts'
import type { LiveText, Picture, StreamedText } from './response-bodies.ts'

/** An object without further properties. A one-word title names its component in the OpenAPI document. */
export const exactly = <P extends TProperties>(properties: P, title?: string) =>
  Type.Object(properties, { ...(title === undefined ? {} : { title }), additionalProperties: false })

export const oneOf = <const V extends string>(values: readonly V[], description?: string) =>
  Type.Unsafe<V>(Type.Enum([...values], { type: 'string', ...described(description) }))

export const idOf = <K extends IdKind>(kind: K, description?: string) =>
  Type.Unsafe<Id<K>>(Type.String({ pattern: idPattern(kind), ...described(description) }))

export const nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], described(description))

/**
 * Like `nullable`, but the schema is a list of two types instead of a union. The serializer tries each alternative of a
 * union, so records in long lists use this function.
 */
export const nullableType = <S extends TSchema & { readonly type?: unknown; readonly enum?: readonly unknown[] }>(
  schema: S,
  description?: string,
) =>
  Type.Unsafe<Static<S> | null>({
    ...schema,
    type: [schema.type, 'null'],
    // An enum that does not list null would exclude null.
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
    ...described(description),
  })

/** A field that is optional and nullable. */
export const maybe = <S extends TSchema>(schema: S, description: string) => Type.Optional(nullable(schema, description))

export const time = (description?: string) => Type.String({ format: 'date-time', ...described(description) })

/** One line of text with at least one visible character. */
export const line = (max: number) => Type.String({ minLength: 1, maxLength: max, pattern: LINE_PATTERN })

/** "Cents that are no multiple of 100 are refused, never rounded." */
export const AmountCents = Type.Unsafe<Cents>(
  Type.Integer({ minimum: 100, maximum: Number.MAX_SAFE_INTEGER, multipleOf: 100 }),
)

function described(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description }
}

/** The schemas of bodies that the edge does not serialize from an object. */
export const PictureBody = Type.Unsafe<Picture>({ description: 'The picture.' })
export const liveBody = (description: string) => Type.Unsafe<LiveText>({ type: 'string', description })
export const streamedBody = (description: string) => Type.Unsafe<StreamedText>({ type: 'string', description })

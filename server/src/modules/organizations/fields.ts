import { type TProperties, type TSchema, Type } from 'typebox'
import { type Id, type IdKind, idPattern } from '#kernel/ids.ts'
import { LINE_PATTERN } from '#kernel/text.ts'

/** The pieces of what goes in and out of the portal. */

export const IdOf = <K extends IdKind>(kind: K) => Type.Unsafe<Id<K>>(Type.String({ pattern: idPattern(kind) }))

export const Time = Type.String({ format: 'date-time', description: 'Real time, UTC, with microseconds.' })

export const OrNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** One visible line. */
export const Line = (max: number) => Type.String({ minLength: 1, maxLength: max, pattern: LINE_PATTERN })

export const Exactly = <P extends TProperties>(properties: P, title?: string) =>
  Type.Object(properties, { ...(title === undefined ? {} : { title }), additionalProperties: false })

export const OneOf = <const V extends string>(values: readonly V[]) =>
  Type.Unsafe<V>(Type.Enum([...values], { type: 'string' }))

/** The form of everything here: `{id, type, attributes}`. */
export const Resource = <I extends TSchema, A extends TProperties>(
  { id, type, title }: { readonly id: I; readonly type: string; readonly title: string },
  attributes: A,
) => Exactly({ id, type: Type.Literal(type), attributes: Exactly(attributes) }, title)

export const One = <S extends TSchema>(schema: S) => Exactly({ data: schema })

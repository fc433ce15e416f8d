import { type TProperties, type TSchema, Type } from 'typebox'
import { type Id, type IdKind, idPattern } from '#kernel/ids.ts'

/** What the shapes of this module are made of. */

export const exactly = <P extends TProperties>(properties: P, title?: string) =>
  Type.Object(properties, { ...(title === undefined ? {} : { title }), additionalProperties: false })

export const idOf = <K extends IdKind>(kind: K) => Type.Unsafe<Id<K>>(Type.String({ pattern: idPattern(kind) }))

export const oneOf = <const V extends string>(values: readonly V[], description?: string) =>
  Type.Unsafe<V>(Type.Enum([...values], { type: 'string', ...(description === undefined ? {} : { description }) }))

export const nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

export const time = (description: string) => Type.String({ format: 'date-time', description })

/** A range on the wire. */
export const RangeSchema = exactly(
  {
    min: Type.Integer({ minimum: 0, description: 'At least so many people.' }),
    max: nullable(Type.Integer(), 'At most so many; null: the range is open.'),
  },
  'ReferralRange',
)

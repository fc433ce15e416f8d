import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { type Id, type IdKind, idPattern } from '#kernel/ids.ts'

export const exactly = <P extends TProperties>(properties: P, title?: string) =>
  Type.Object(properties, { ...(title === undefined ? {} : { title }), additionalProperties: false })

export const oneOf = <const V extends string>(values: readonly V[], description?: string) =>
  Type.Unsafe<V>(Type.Enum([...values], { type: 'string', ...(description === undefined ? {} : { description }) }))

export const idOf = <K extends IdKind>(kind: K) => Type.Unsafe<Id<K>>(Type.String({ pattern: idPattern(kind) }))

/** As a type of two names, which the serialiser writes without trying alternatives: pages of the catalogue are long. */
export const nullable = <S extends TSchema & { readonly type?: unknown; readonly enum?: readonly unknown[] }>(
  schema: S,
  description?: string,
) =>
  Type.Unsafe<Static<S> | null>({
    ...schema,
    type: [schema.type, 'null'],
    // An enum that lacks null would rule it out again.
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
    ...(description === undefined ? {} : { description }),
  })

export const Text = Type.String()
export const Count = Type.Integer({ minimum: 0 })
export const Time = Type.String({ format: 'date-time' })
export const Url = Type.String({ format: 'uri' })

export const FETCHED_AT = {
  fetched_at: Type.String({
    format: 'date-time',
    description: 'When the figures were read, by the clock of the world. Show it beside them. Not part of the ETag.',
  }),
}

export const NOT_MODIFIED = Type.Null({ description: 'What If-None-Match names is still what there is.' })

import { type TProperties, type TSchema, Type } from 'typebox'
import { type Id, type IdKind, idPattern } from '#kernel/ids.ts'
import type { Picture, StreamedText } from './response-bodies.ts'

/** An object without further properties. A title that is one word names its component in the OpenAPI document. */
export const exactly = <P extends TProperties>(properties: P, title?: string) =>
  Type.Object(properties, { ...(title === undefined ? {} : { title }), additionalProperties: false })

export const oneOf = <const V extends string>(values: readonly V[], description?: string) =>
  Type.Unsafe<V>(Type.Enum([...values], { type: 'string', ...described(description) }))

export const idOf = <K extends IdKind>(kind: K, description?: string) =>
  Type.Unsafe<Id<K>>(Type.String({ pattern: idPattern(kind), ...described(description) }))

export const nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], described(description))

function described(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description }
}

/** The schemas of bodies that are not JSON. */
export const PictureBody = Type.Unsafe<Picture>({ description: 'The picture.' })
export const streamedBody = (description: string) => Type.Unsafe<StreamedText>({ type: 'string', description })

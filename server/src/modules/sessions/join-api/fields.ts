import { type TProperties, type TSchema, Type } from 'typebox'
import { heldBy } from '#http/access.ts'
import { type Id, type IdKind, idPattern } from '#kernel/ids.ts'

/** What the shapes of join sessions and their themes are made of. */

export const exactly = <P extends TProperties>(properties: P, title?: string) =>
  Type.Object(properties, { ...(title === undefined ? {} : { title }), additionalProperties: false })

export const idOf = <K extends IdKind>(kind: K) => Type.Unsafe<Id<K>>(Type.String({ pattern: idPattern(kind) }))

export const oneOf = <const V extends string>(values: readonly V[], description?: string) =>
  Type.Unsafe<V>(Type.Enum([...values], { type: 'string', ...(description === undefined ? {} : { description }) }))

export const nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

export const time = () => Type.String({ format: 'date-time', description: 'UTC, in the time of the world.' })

export const TAG = 'Join sessions'

/** "Mint join sessions that sign a person up to a syndicate from the partner's site; included in write:syndicates." */
export const minting = heldBy(['user', 'installation'], 'write:syndicate_members')

/** What became of them may also be read by who reads the members. */
export const reading = heldBy(['user', 'installation'], 'write:syndicate_members', 'read:syndicates')

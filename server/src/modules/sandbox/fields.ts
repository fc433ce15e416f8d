import { type TProperties, type TSchema, Type } from 'typebox'
import { type Id, type IdKind, idPattern } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { LINE_PATTERN } from '#kernel/text.ts'

/** The pieces of what goes in and out here. */

export const IdOf = <K extends IdKind>(kind: K) => Type.Unsafe<Id<K>>(Type.String({ pattern: idPattern(kind) }))

/** World time. */
export const Time = Type.String({ format: 'date-time', description: 'UTC, with microseconds.' })

export const OrNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** "Cents that are no multiple of 100 are refused, never rounded." */
export const AmountCents = Type.Unsafe<Cents>(
  Type.Integer({ minimum: 100, maximum: Number.MAX_SAFE_INTEGER, multipleOf: 100 }),
)

/** Plain addresses are enough to play with. */
export const Email = Type.String({ maxLength: 254, pattern: '^[!-?A-~]+@[!-?A-~]+$' })

/** One visible line. */
export const Line = (max: number) => Type.String({ minLength: 1, maxLength: max, pattern: LINE_PATTERN })

export const Exactly = <P extends TProperties>(properties: P, title?: string) =>
  Type.Object(properties, { ...(title === undefined ? {} : { title }), additionalProperties: false })

/** What a status or a reason may be. */
export const OneOf = <const V extends string>(values: readonly V[]) =>
  Type.Unsafe<V>(Type.Enum([...values], { type: 'string' }))

/** The form of every resource but the investment: `{id, type, attributes}`. */
export const Resource = <K extends IdKind, A extends TProperties>(
  { kind, type, title }: { readonly kind: K; readonly type: string; readonly title: string },
  attributes: A,
) => Exactly({ id: IdOf(kind), type: Type.Literal(type), attributes: Exactly(attributes) }, title)

/** "1–2160, default 720 (30 days)", for sessions of both kinds. */
export const ExpiresInHours = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 2_160, description: '720 if left out.' }),
)
export const EXPIRES_IN_HOURS_DEFAULT = 720

export const Metadata = Type.Record(Type.String(), Type.Unknown(), { description: 'Yours; echoed as it came.' })

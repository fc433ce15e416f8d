import { type TProperties, type TSchema, Type } from 'typebox'
import { lockUser } from '#access/people/index.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import { type Id, type IdKind, idPattern } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { LINE_PATTERN } from '#kernel/text.ts'
import { MEMBERSHIP_STATES, readMembership, readSyndicate } from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'

export const IdOf = <K extends IdKind>(kind: K) => Type.Unsafe<Id<K>>(Type.String({ pattern: idPattern(kind) }))

/** World time. */
export const Time = Type.String({ format: 'date-time', description: 'UTC, with microseconds.' })

export const OrNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** "Cents that are no multiple of 100 are refused, never rounded." */
export const AmountCents = Type.Unsafe<Cents>(
  Type.Integer({ minimum: 100, maximum: Number.MAX_SAFE_INTEGER, multipleOf: 100 }),
)

/** Plain addresses are enough in the sandbox. */
export const Email = Type.String({ maxLength: 254, pattern: '^[!-?A-~]+@[!-?A-~]+$' })

/** One visible line. */
export const Line = (max: number) => Type.String({ minLength: 1, maxLength: max, pattern: LINE_PATTERN })

export const Exactly = <P extends TProperties>(properties: P, title?: string) =>
  Type.Object(properties, { ...(title === undefined ? {} : { title }), additionalProperties: false })

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

export const Membership = Resource(
  { kind: 'membership', type: 'syndicate_member', title: 'SandboxMembership' },
  {
    syndicate: IdOf('syndicate'),
    user: IdOf('user'),
    status: OneOf(MEMBERSHIP_STATES),
    approved_by: OrNull(IdOf('user')),
    invited_email: OrNull(Type.String()),
    joined_at: OrNull(Time),
  },
)

export async function showMembership(tx: Tx, id: Id<'membership'>) {
  const membership = await readMembership(tx, id)
  if (membership === null) throw new UnknownReference('id', id)
  const { syndicate, user, status, approved_by, invited_email, joined_at } = membership
  return {
    id,
    type: 'syndicate_member' as const,
    attributes: { syndicate, user, status, approved_by, invited_email, joined_at },
  }
}

export const User = Resource({ kind: 'user', type: 'user', title: 'SandboxUser' }, { deactivated: Type.Boolean() })

export async function showUser(tx: Tx, id: Id<'user'>) {
  const { deactivated } = await lockUser(tx, 'id', id)
  return { id, type: 'user' as const, attributes: { deactivated } }
}

/** The approver or inviter in the body, and the name of that field. */
type NamedManager = { readonly field: 'approved_by' | 'invited_by'; readonly user: Id<'user'> | undefined }

/** The manager who acts if the body names none: one with full access, else any manager, else the creator. */
export async function actingManager(tx: Tx, syndicateId: Id<'syndicate'>, named: NamedManager): Promise<Id<'user'>> {
  if (named.user !== undefined) return named.user
  const syndicate = await readSyndicate(tx, syndicateId)
  if (syndicate === null) throw new UnknownReference('id', syndicateId)
  const { managers, created_by } = syndicate
  const manager = managers.find(({ permission }) => permission === 'full_access') ?? managers[0]
  const user = manager?.user ?? created_by
  if (user !== null) return user
  const message = 'is required, since this syndicate has no manager'
  throw validationError([{ field: named.field, code: 'required', message }])
}

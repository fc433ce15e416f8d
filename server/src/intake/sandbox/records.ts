import { type TProperties, Type } from 'typebox'
import { lockUser } from '#access/people/index.ts'
import { exactly, idOf, nullable, oneOf, time } from '#http/schema-fields.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id, IdKind } from '#kernel/ids.ts'
import { MEMBERSHIP_STATES, readMembership, readSyndicate } from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'

/** A time in the world's time. */
export const Time = time('In UTC, with microseconds.')

/** An email address. Plain ASCII addresses are enough in the sandbox. */
export const Email = Type.String({ maxLength: 254, pattern: '^[!-?A-~]+@[!-?A-~]+$' })

/** The shape of most records, `{id, type, attributes}`. Investments and invitations have their own shapes. */
export const Resource = <K extends IdKind, A extends TProperties>(
  { kind, type, title }: { readonly kind: K; readonly type: string; readonly title: string },
  attributes: A,
) => exactly({ id: idOf(kind), type: Type.Literal(type), attributes: exactly(attributes) }, title)

/** "1–2160, default 720 (30 days)", for join sessions and investment sessions. */
export const ExpiresInHours = Type.Optional(Type.Integer({ minimum: 1, maximum: 2_160, description: 'Default: 720.' }))
export const EXPIRES_IN_HOURS_DEFAULT = 720

export const Metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Your own value. Responses return it unchanged.',
})

export const Membership = Resource(
  { kind: 'membership', type: 'syndicate_member', title: 'SandboxMembership' },
  {
    syndicate: idOf('syndicate'),
    user: idOf('user'),
    status: oneOf(MEMBERSHIP_STATES),
    approved_by: nullable(idOf('user')),
    invited_email: nullable(Type.String()),
    joined_at: nullable(Time),
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

/** The person whom the body names; if it names no person, a manager with full access, else any manager, else the creator. */
export async function actingManager(tx: Tx, syndicateId: Id<'syndicate'>, named: NamedManager): Promise<Id<'user'>> {
  if (named.user !== undefined) return named.user
  const syndicate = await readSyndicate(tx, syndicateId)
  if (syndicate === null) throw new UnknownReference('id', syndicateId)
  const { managers, created_by } = syndicate
  const manager = managers.find(({ permission }) => permission === 'full_access') ?? managers[0]
  const user = manager?.user ?? created_by
  if (user !== null) return user
  const message = 'is required, because this syndicate has no manager'
  throw validationError([{ field: named.field, code: 'required', message }])
}

import { Type } from 'typebox'
import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { MEMBERSHIP_STATES, readMembership } from '#modules/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { IdOf, OneOf, OrNull, Resource, Time } from './fields.ts'

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

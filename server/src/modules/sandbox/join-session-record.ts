import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { INELIGIBLE_REASONS, JOIN_SESSION_STATES, readJoinSession } from '#modules/sessions/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { IdOf, Metadata, OneOf, OrNull, Resource, Time } from './fields.ts'

export const IneligibleReason = OneOf(INELIGIBLE_REASONS)

export const JoinSession = Resource(
  { kind: 'joinSession', type: 'join_session', title: 'SandboxJoinSession' },
  {
    syndicate: IdOf('syndicate'),
    status: OneOf(JOIN_SESSION_STATES),
    ineligible_reason: OrNull(IneligibleReason),
    user: OrNull(IdOf('user')),
    membership: OrNull(IdOf('membership')),
    installation: OrNull(IdOf('installation')),
    metadata: Metadata,
    created_at: Time,
    expires_at: Time,
  },
)

/** The schema picks the fields that are shown. */
export async function showJoinSession(tx: Tx, id: Id<'joinSession'>) {
  const session = await readJoinSession(tx, id)
  if (session === null) throw new UnknownReference('id', id)
  const { id: _, ...attributes } = session
  return { id, type: 'join_session' as const, attributes }
}

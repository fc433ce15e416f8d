import { type Static, type TSchema, Type } from 'typebox'
import { worldTime } from '#kernel/clock.ts'
import { exactly, fakeId, idOf, Microseconds, oneOf, orNull, Person } from './fields.ts'

/** "Null in every member for hosted sessions and populated for embedded sessions pinning a partner theme." */
const Theme = Type.Union([
  exactly({ id: Type.Null(), version: Type.Null(), override_fingerprint: Type.Null() }),
  exactly({
    id: Type.String(),
    version: Type.Integer({ minimum: 1 }),
    /** A theme that the session overrides in nothing has none. */
    override_fingerprint: orNull(Type.String()),
  }),
])

const IneligibleReason = oneOf(
  'accreditation_required',
  'jurisdiction',
  'blocked',
  'club_unavailable',
  'requires_investment',
)

/** "data always carries id (js_), syndicate, status, occurred_at, and user"; "also ineligible_reason and theme". */
function joinSession<S extends string, U extends TSchema, R extends TSchema>(status: S, user: U, reason: R) {
  return exactly({
    id: idOf('joinSession'),
    syndicate: idOf('syndicate'),
    status: oneOf(status),
    user,
    ineligible_reason: reason,
    theme: Theme,
    occurred_at: Microseconds,
  })
}

/** "usr_ id and name once signed in, null before": whoever finished the flow has signed in. */
const MaybeSignedIn = orNull(Person)

export const JOIN_SESSION_DATA = {
  'join_session.pending_approval': joinSession('pending_approval', Person, Type.Null()),
  'join_session.completed': joinSession('joined', Person, Type.Null()),
  'join_session.rejected': joinSession('rejected', Person, Type.Null()),
  'join_session.ineligible': joinSession('ineligible', MaybeSignedIn, IneligibleReason),
  'join_session.canceled': joinSession('canceled', MaybeSignedIn, Type.Null()),
  'join_session.expired': joinSession('expired', MaybeSignedIn, Type.Null()),
}

type Data = { [N in keyof typeof JOIN_SESSION_DATA]: Static<(typeof JOIN_SESSION_DATA)[N]> }

const record = {
  id: fakeId('joinSession'),
  syndicate: fakeId('syndicate'),
  user: { id: fakeId('user'), name: 'Example Member' },
  ineligible_reason: null,
  theme: { id: null, version: null, override_fingerprint: null },
  occurred_at: worldTime('2026-01-15T12:00:00.123456Z'),
}

export const JOIN_SESSION_EXAMPLES: Data = {
  'join_session.pending_approval': { ...record, status: 'pending_approval' },
  'join_session.completed': { ...record, status: 'joined' },
  'join_session.rejected': { ...record, status: 'rejected' },
  'join_session.ineligible': { ...record, status: 'ineligible', ineligible_reason: 'accreditation_required' },
  'join_session.canceled': { ...record, status: 'canceled', user: null },
  'join_session.expired': { ...record, status: 'expired', user: null },
}

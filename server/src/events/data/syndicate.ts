import { type Static, type TSchema, Type } from 'typebox'
import { exactly, nullable, oneOf } from '#http/schema-fields.ts'
import { worldTime } from '#kernel/clock.ts'
import { fakeId, idOrExample, Microseconds, Person } from './fields.ts'

/** "Every data has syndicate (syn_) and occurred_at." */
const every = { syndicate: idOrExample('syndicate'), occurred_at: Microseconds }

/** "Invitations create no membership; they are keyed by email": no id, no status. */
const invitation = {
  ...every,
  email: Type.String(),
  name: Type.String(),
  /** "usr_ or null when the address has no account" */
  user: nullable(idOrExample('user')),
  invited_by: Person,
}

const membership = {
  ...every,
  id: idOrExample('membership'),
  /** "Syndicate installations are manager tier, so events carry member email." */
  user: exactly({ id: idOrExample('user'), name: Type.String(), email: Type.String() }),
}

export const SYNDICATE_MEMBER_DATA = {
  'syndicate_member.invited': exactly(invitation),
  'syndicate_member.reinvited': exactly(invitation),
  'syndicate_member.applied': exactly({ ...membership, status: oneOf(['pending']), approved_by: Type.Null() }),
  'syndicate_member.approved': exactly({ ...membership, status: oneOf(['approved']), approved_by: Person }),
  /** "approved_by (null for automatic or invited join)" */
  'syndicate_member.joined': exactly({ ...membership, status: oneOf(['member']), approved_by: nullable(Person) }),
  'syndicate_member.left': exactly({
    ...membership,
    status: oneOf(['left', 'removed', 'payment_failed']),
    approved_by: nullable(Person),
  }),
  'syndicate_member.declined': exactly({
    ...membership,
    status: oneOf(['declined', 'withdrawn']),
    approved_by: nullable(Person),
  }),
}

type Data = { [N in keyof typeof SYNDICATE_MEMBER_DATA]: Static<(typeof SYNDICATE_MEMBER_DATA)[N]> }

const at = { syndicate: fakeId('syndicate'), occurred_at: worldTime('2026-01-15T12:00:00.123456Z') }
const manager = { id: fakeId('user'), name: 'Example Manager' }
const email = 'member@example.com'
const invited = { ...at, email, name: 'Example Member', user: null, invited_by: manager }
const member = { ...at, id: fakeId('membership'), user: { id: fakeId('user'), name: 'Example Member', email } }

export const SYNDICATE_MEMBER_EXAMPLES: Data = {
  'syndicate_member.invited': invited,
  'syndicate_member.reinvited': invited,
  'syndicate_member.applied': { ...member, status: 'pending', approved_by: null },
  'syndicate_member.approved': { ...member, status: 'approved', approved_by: manager },
  'syndicate_member.joined': { ...member, status: 'member', approved_by: manager },
  'syndicate_member.left': { ...member, status: 'left', approved_by: manager },
  'syndicate_member.declined': { ...member, status: 'declined', approved_by: null },
}

/** "Null in every member for hosted sessions and populated for embedded sessions pinning a partner theme." */
const Theme = Type.Union([
  exactly({ id: Type.Null(), version: Type.Null(), override_fingerprint: Type.Null() }),
  exactly({
    id: Type.String(),
    version: Type.Integer({ minimum: 1 }),
    /** Null if the session overrides nothing of the theme. */
    override_fingerprint: nullable(Type.String()),
  }),
])

const IneligibleReason = oneOf([
  'accreditation_required',
  'jurisdiction',
  'blocked',
  'club_unavailable',
  'requires_investment',
])

/** "data always carries id (js_), syndicate, status, occurred_at, and user"; "also ineligible_reason and theme". */
function joinSession<S extends string, U extends TSchema, R extends TSchema>(status: S, user: U, reason: R) {
  return exactly({
    id: idOrExample('joinSession'),
    syndicate: idOrExample('syndicate'),
    status: oneOf([status]),
    user,
    ineligible_reason: reason,
    theme: Theme,
    occurred_at: Microseconds,
  })
}

/** "usr_ id and name once signed in, null before": a person who finished the flow has signed in. */
const MaybeSignedIn = nullable(Person)

export const JOIN_SESSION_DATA = {
  'join_session.pending_approval': joinSession('pending_approval', Person, Type.Null()),
  'join_session.completed': joinSession('joined', Person, Type.Null()),
  'join_session.rejected': joinSession('rejected', Person, Type.Null()),
  'join_session.ineligible': joinSession('ineligible', MaybeSignedIn, IneligibleReason),
  'join_session.canceled': joinSession('canceled', MaybeSignedIn, Type.Null()),
  'join_session.expired': joinSession('expired', MaybeSignedIn, Type.Null()),
}

type JoinSessionData = { [N in keyof typeof JOIN_SESSION_DATA]: Static<(typeof JOIN_SESSION_DATA)[N]> }

const record = {
  id: fakeId('joinSession'),
  syndicate: fakeId('syndicate'),
  user: { id: fakeId('user'), name: 'Example Member' },
  ineligible_reason: null,
  theme: { id: null, version: null, override_fingerprint: null },
  occurred_at: worldTime('2026-01-15T12:00:00.123456Z'),
}

export const JOIN_SESSION_EXAMPLES: JoinSessionData = {
  'join_session.pending_approval': { ...record, status: 'pending_approval' },
  'join_session.completed': { ...record, status: 'joined' },
  'join_session.rejected': { ...record, status: 'rejected' },
  'join_session.ineligible': { ...record, status: 'ineligible', ineligible_reason: 'accreditation_required' },
  'join_session.canceled': { ...record, status: 'canceled', user: null },
  'join_session.expired': { ...record, status: 'expired', user: null },
}

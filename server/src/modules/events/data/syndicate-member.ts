import { type Static, Type } from 'typebox'
import { worldTime } from '#kernel/clock.ts'
import { exactly, fakeId, idOf, Microseconds, oneOf, orNull, Person } from './fields.ts'

/** "Every data has syndicate (syn_) and occurred_at." */
const every = { syndicate: idOf('syndicate'), occurred_at: Microseconds }

/** "Invitations create no membership; they are keyed by email": no id, no status. */
const invitation = {
  ...every,
  email: Type.String(),
  name: Type.String(),
  /** "usr_ or null when the address has no account" */
  user: orNull(idOf('user')),
  invited_by: Person,
}

const membership = {
  ...every,
  id: idOf('membership'),
  /** "Syndicate installations are manager tier, so events carry member email." */
  user: exactly({ id: idOf('user'), name: Type.String(), email: Type.String() }),
}

export const SYNDICATE_MEMBER_DATA = {
  'syndicate_member.invited': exactly(invitation),
  'syndicate_member.reinvited': exactly(invitation),
  'syndicate_member.applied': exactly({ ...membership, status: oneOf('pending'), approved_by: Type.Null() }),
  'syndicate_member.approved': exactly({ ...membership, status: oneOf('approved'), approved_by: Person }),
  /** "approved_by (null for automatic or invited join)" */
  'syndicate_member.joined': exactly({ ...membership, status: oneOf('member'), approved_by: orNull(Person) }),
  'syndicate_member.left': exactly({
    ...membership,
    status: oneOf('left', 'removed', 'payment_failed'),
    approved_by: orNull(Person),
  }),
  'syndicate_member.declined': exactly({
    ...membership,
    status: oneOf('declined', 'withdrawn'),
    approved_by: orNull(Person),
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

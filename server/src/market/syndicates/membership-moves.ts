import { lockUser } from '#access/people/index.ts'
import { appendEvent, ERASED_PERSON, type NewEvent, type Occasion } from '#events/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import { UnknownReference, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Before } from '#kernel/state-machine.ts'
import type { Tx } from '#system/postgres/database.ts'
import { answerInvitations, findInvitationOf, type Invitation } from './invitation-store.ts'
import type { MembershipEvent, MembershipState, MembershipTransition } from './membership-states.ts'
import {
  insertMembership,
  lockMembership,
  lockMembershipOf,
  type MembershipRow,
  type MembershipWrite,
  updateMembership,
} from './membership-store.ts'
import { deleteManager, findPerson, lockMember, type Person } from './people-store.ts'
import { syndicateExists } from './syndicate-store.ts'

export type MovedMembership = { readonly id: Id<'membership'>; readonly status: MembershipState }

/** Optional inputs of a move: the approver, and the answered invitation. */
type With = { readonly approvedBy?: Id<'user'>; readonly invitation?: Invitation }

/** Carries out a transition of the table: the new state, its other changes, and exactly its events. */
export async function performMove(
  tx: Tx,
  { before, step, ...inputs }: { readonly before: LockedState; readonly step: MembershipTransition } & With,
  occasion: Occasion,
): Promise<MovedMembership> {
  // The person may have been invited since they applied, so the invited address is looked up when they join.
  const invitation =
    step.to === 'member'
      ? (inputs.invitation ?? (await findInvitationOf(tx, before.syndicate_id, before.user_id)))
      : null
  const membership = {
    ...before,
    status: step.to,
    approved_by: approverAfter(before, step, inputs.approvedBy),
    invited_email: invitation?.email ?? before.invited_email,
    invitedAt: invitation?.last_invited_at ?? null,
    occurredAt: occasion.occurredAt,
    events: step.events.length,
  }
  if (step.to === 'pending' || step.to === 'member') rejectDeactivated('user', before.person)
  const people = { member: before.person, approver: await approverOf(tx, membership) }
  const times = step.from === 'none' ? await insertMembership(tx, membership) : await updateMembership(tx, membership)
  if (times === null) throw idInUse()
  if (isListed(step.to)) await answerInvitations(tx, membership)
  if (endsManagerRole(step.to)) await deleteManager(tx, membership.syndicate_id, membership.user_id)
  for (const [at, name] of step.events.entries()) {
    const occurredAt = at === 0 ? times.first : times.last
    await appendEvent(tx, membershipEvent(name, membership, { people, occurredAt }), occasion)
  }
  return { id: membership.id, status: step.to }
}

/**
 * Whether the move makes the directory show the membership instead of an invitation. The directory also lists memberships in the
 * states approved and payment_failed, but these memberships were listed before the move.
 */
function isListed(state: MembershipState): boolean {
  return state === 'pending' || state === 'member'
}

/**
 * A person who resigned or was removed loses the manager role, whether a request or a fact caused the move. A later
 * fact can make them a manager again, even if they are not a member. A failed payment does not end the role, because
 * another payment may follow.
 */
function endsManagerRole(state: MembershipState): boolean {
  return state === 'left' || state === 'removed'
}

function approverAfter(
  before: LockedState,
  { also }: MembershipTransition,
  approvedBy?: Id<'user'>,
): Id<'user'> | null {
  if (also.includes('clear_approved_by')) return null
  return also.includes('set_approved_by') ? (approvedBy ?? null) : before.approved_by
}

async function approverOf(tx: Tx, { approved_by }: MembershipWrite): Promise<People['approver']> {
  return approved_by === null ? null : knownPerson(tx, 'approved_by', approved_by)
}

function idInUse() {
  const message = 'is the membership of another person, or of another syndicate'
  return validationError([{ field: 'id', code: 'already_exists', message }])
}

/** The people whom a membership's events name. */
type People = { readonly member: Person; readonly approver: Person | null }

/** "id, status, user, approved_by": the specification's table, with names and addresses in the separate `identity`. */
function membershipEvent(
  name: MembershipEvent,
  membership: MembershipRow,
  { people, occurredAt }: { readonly people: People; readonly occurredAt: WorldTime },
): NewEvent {
  const { member, approver } = people
  return {
    name,
    subject: { syndicateId: membership.syndicate_id, membershipId: membership.id, userId: member.id },
    occurredAt,
    data: {
      id: membership.id,
      syndicate: membership.syndicate_id,
      status: statusIn(name, membership.status),
      user: { id: member.id, ...ERASED_PERSON },
      approved_by: approver === null ? null : { id: approver.id, name: ERASED_PERSON.name },
    },
    ...identityOf(membership, people),
  }
}

/**
 * The event approved always has the status approved, even if the person becomes a member at once. The event joined then has the
 * status member.
 */
function statusIn(name: MembershipEvent, reached: MembershipState): MembershipState {
  return name === 'syndicate_member.approved' ? 'approved' : reached
}

/**
 * "The joined event's user.email matches the earlier invitation's email". Later events have that address too, so that a
 * receiver that stored the member under that address recognizes the member when they leave.
 */
function identityOf({ invited_email }: MembershipRow, { member, approver }: People): Pick<NewEvent, 'identity'> {
  const { name, email } = member
  const identity = {
    ...(name === null || email === null ? {} : { user: { name, email: invited_email ?? email } }),
    ...(approver === null || approver.name === null ? {} : { approved_by: { name: approver.name } }),
  }
  return Object.keys(identity).length === 0 ? {} : { identity }
}

/** The locked membership of a person in a syndicate. No concurrent transaction can move it. */
export type LockedState = Omit<MembershipRow, 'status'> & {
  readonly status: MembershipState | Before
  /** Read after locking. An erasure of the person takes the same lock, so it finds every event with their name. */
  readonly person: Person
}

/** Locks the person before the membership, because a change of the person also changes their directory entries. */
export async function lockStateById(tx: Tx, id: Id<'membership'>, field = 'id'): Promise<LockedState> {
  const person = await lockMember(tx, id)
  const membership = person === null ? null : await lockMembership(tx, id)
  if (person === null || membership === null) throw new UnknownReference(field, id)
  return { ...membership, person }
}

export type PersonHere = {
  readonly syndicateId: Id<'syndicate'>
  readonly userId: Id<'user'>
  /** The id for a new membership. If the person has a membership with another id, the request is rejected. */
  readonly id?: Id<'membership'>
}

/**
 * Also works for a person without a membership. The lock on the person then keeps other transactions from creating a membership
 * before this transaction does.
 */
export async function lockStateOf(tx: Tx, { syndicateId, userId, id }: PersonHere): Promise<LockedState> {
  if (!(await syndicateExists(tx, syndicateId))) throw new UnknownReference('syndicate', syndicateId)
  const person = await lockPerson(tx, 'user', userId)
  const membership = await lockMembershipOf(tx, syndicateId, userId)
  if (membership === null) return { ...notYetCreated(syndicateId, userId, id ?? newId('membership')), person }
  if (id !== undefined && id !== membership.id) throw otherMembership(membership.id)
  return { ...membership, person }
}

function notYetCreated(syndicateId: Id<'syndicate'>, userId: Id<'user'>, id: Id<'membership'>) {
  const empty = { approved_by: null, invited_email: null }
  return { id, syndicate_id: syndicateId, user_id: userId, status: 'none' as const, ...empty }
}

/** A person keeps one membership id when they leave and return; a second id would split their history. */
function otherMembership(id: Id<'membership'>) {
  const message = `is not the id of this person’s membership of the syndicate; the correct id is ${id}`
  return validationError([{ field: 'id', code: 'already_exists', message }])
}

export async function knownPerson(tx: Tx, field: string, id: Id<'user'>): Promise<Person> {
  const person = await findPerson(tx, id)
  if (person === null) throw new UnknownReference(field, id)
  return person
}

/** Callers lock the person before all other rows. `field` is the request's field with the person's id. */
export async function lockPerson(tx: Tx, field: string, id: Id<'user'>): Promise<Person> {
  const { user } = await lockUser(tx, field, id)
  return { id, name: user?.name ?? null, email: user?.email ?? null }
}

/** Called for acts that need an active account. Other acts, such as a removal, stay possible for a deactivated person. */
export function rejectDeactivated(field: string, { name }: Person): void {
  if (name !== null) return
  throw validationError([{ field, code: 'deactivated', message: 'was deactivated, which is final' }])
}

import { UnknownReference, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Before } from '#kernel/state-machine.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { MembershipState } from './membership-states.ts'
import { lockMembership, lockMembershipOf, type MembershipRow } from './membership-store.ts'
import { lockPerson } from './person.ts'
import { lockMember, type Person } from './store.ts'
import { syndicateExists } from './syndicate-store.ts'

/** Where a person and a syndicate stand with each other, under a lock: no move of theirs happens beside ours. */
export type Standing = Omit<MembershipRow, 'status'> & {
  readonly status: MembershipState | Before
  /** Looked at under the lock: whoever erases a person takes it, too, and finds every event with their name. */
  readonly person: Person
}

/** The person first, as everybody does: whoever changes them goes on from there to what the directory shows of them. */
export async function standingById(tx: Tx, id: Id<'membership'>, field = 'id'): Promise<Standing> {
  const person = await lockMember(tx, id)
  const membership = person === null ? null : await lockMembership(tx, id)
  if (person === null || membership === null) throw new UnknownReference(field, id)
  return { ...membership, person }
}

export type PersonHere = {
  readonly syndicateId: Id<'syndicate'>
  readonly userId: Id<'user'>
  /** The id a new membership is to have. One that exists already has this id, or the caller means another. */
  readonly id?: Id<'membership'>
}

/** Also for somebody without a membership: then the person's lock keeps it so until we have made one. */
export async function standingOf(tx: Tx, { syndicateId, userId, id }: PersonHere): Promise<Standing> {
  if (!(await syndicateExists(tx, syndicateId))) throw new UnknownReference('syndicate', syndicateId)
  const person = await lockPerson(tx, 'user', userId)
  const membership = await lockMembershipOf(tx, syndicateId, userId)
  if (membership === null) return { ...unmade(syndicateId, userId, id ?? newId('membership')), person }
  if (id !== undefined && id !== membership.id) throw otherMembership(membership.id)
  return { ...membership, person }
}

function unmade(syndicateId: Id<'syndicate'>, userId: Id<'user'>, id: Id<'membership'>) {
  const nobody = { approved_by: null, invited_email: null }
  return { id, syndicate_id: syndicateId, user_id: userId, status: 'none' as const, ...nobody }
}

/** One id through every leaving and returning: a second one would split a person's history in two. */
function otherMembership(id: Id<'membership'>) {
  const message = `is not the id of this person’s membership of the syndicate, which is ${id}`
  return validationError([{ field: 'id', code: 'already_exists', message }])
}

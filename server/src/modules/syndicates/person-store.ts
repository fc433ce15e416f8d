import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** What events say of a person. Both are null once the person was deactivated. */
export type Person = { readonly id: Id<'user'>; readonly name: string | null; readonly email: string | null }

const FIND = statement<Person>('syndicates.person', 'select id, name, email from users where id = $1')

/** No lock: whoever needs one takes it before everything else (`lockUser` of people). */
export async function findPerson(tx: Tx, id: Id<'user'>): Promise<Person | null> {
  return tx.maybeOne(FIND, [id])
}

const LOCK_BY_EMAIL = statement<Person>(
  'syndicates.lock_person_by_email',
  'select id, name, email from users where lower(email) = lower($1::text collate "C") for no key update',
)

/** Whoever has this address will not be erased while we write it down. */
export async function lockPersonByEmail(tx: Tx, email: string): Promise<Person | null> {
  return tx.maybeOne(LOCK_BY_EMAIL, [email])
}

const LOCK_MEMBER = statement<Person>(
  'syndicates.lock_member',
  `select id, name, email from users where id = (select user_id from memberships where id = $1) for no key update`,
)

/** The person comes before the membership; whose it is never changes, so it may be looked up before any lock. */
export async function lockMember(tx: Tx, membershipId: Id<'membership'>): Promise<Person | null> {
  return tx.maybeOne(LOCK_MEMBER, [membershipId])
}

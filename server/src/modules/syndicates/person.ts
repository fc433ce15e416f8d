import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { lockUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { findPerson, type Person } from './store.ts'

export async function knownPerson(tx: Tx, field: string, id: Id<'user'>): Promise<Person> {
  const person = await findPerson(tx, id)
  if (person === null) throw new UnknownReference(field, id)
  return person
}

/** `field` is where the caller named the person. Comes before every other lock. */
export async function lockPerson(tx: Tx, field: string, id: Id<'user'>): Promise<Person> {
  const { user } = await lockUser(tx, field, id)
  return { id, name: user?.name ?? null, email: user?.email ?? null }
}

/** For what only somebody still here can do; what others do about them afterwards goes on. */
export function refuseDeactivated(field: string, { name }: Person): void {
  if (name !== null) return
  throw validationError([{ field, code: 'deactivated', message: 'was deactivated, which is for ever' }])
}

import { lockActiveUser, lockUser, type Moment } from '#access/people/index.ts'
import { validationError } from '#kernel/errors.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type CompanyRole, isEditing } from './company.ts'
import { requireCompany } from './company-changes.ts'
import {
  deleteFollow,
  endHeldRole,
  type Follow,
  heldRoles,
  insertFollow,
  type Person,
  recordAccessChange,
  startRole,
} from './store.ts'

export type RoleOfPerson = Person & { readonly role: CompanyRole }

/** Gives a person a role beside those they hold; one they hold already stays as it is. */
export async function setRole(tx: Tx, { role, ...person }: RoleOfPerson, { occurredAt }: Moment): Promise<void> {
  await lockActiveUser(tx, 'user', person.user)
  await requireCompany(tx, 'company', person.company)
  const before = await heldRoles(tx, person)
  if (before.some((held) => held.role === role)) return
  const started = { role, started_at: occurredAt }
  await startRole(tx, person, started)
  // A founder who is also made admin sees nothing new: only the first editing role changes what they may see.
  if (isEditing([...before, started]) !== isEditing(before)) await recordAccessChange(tx, person)
}

/** Ends a role that is held. Deactivated people have theirs ended too. */
export async function endRole(tx: Tx, { role, ...person }: RoleOfPerson, { occurredAt }: Moment): Promise<void> {
  await lockUser(tx, 'user', person.user)
  await requireCompany(tx, 'company', person.company)
  const before = await heldRoles(tx, person)
  const ending = before.find((held) => held.role === role)
  if (ending === undefined) {
    throw validationError([{ field: 'role', code: 'not_held', message: 'is not a role of this person here' }])
  }
  if (occurredAt < ending.started_at) {
    const message = `started only at ${ending.started_at}`
    throw validationError([{ field: 'role', code: 'too_early', message }])
  }
  await endHeldRole(tx, person, { ...ending, ended_at: occurredAt })
  const after = before.filter((held) => held !== ending)
  if (isEditing(after) !== isEditing(before)) await recordAccessChange(tx, person)
}

/** What the caller asked for holds now; `changed` is false where it held before. */
export type FollowState = { readonly followed: boolean; readonly changed: boolean }

/** Following what one follows keeps the time at which it began. */
export async function followCompany(tx: Tx, follow: Follow, { occurredAt }: Moment): Promise<FollowState> {
  await lockActiveUser(tx, 'user', follow.user)
  await requireCompany(tx, 'company', follow.company)
  return { followed: true, changed: await insertFollow(tx, follow, occurredAt) }
}

export async function unfollowCompany(tx: Tx, follow: Follow): Promise<FollowState> {
  await lockUser(tx, 'user', follow.user)
  await requireCompany(tx, 'company', follow.company)
  return { followed: false, changed: await deleteFollow(tx, follow) }
}

import { validationError } from '#kernel/errors.ts'
import { lockUser, type Moment } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { isEditing } from './editing.ts'
import { requireCompany } from './known-company.ts'
import type { RoleOfPerson } from './set-role.ts'
import { endHeldRole, heldRoles, noteAccessChange } from './store.ts'

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
  if (isEditing(after) !== isEditing(before)) await noteAccessChange(tx, person)
}

import { lockActiveUser, type Moment } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { isEditing } from './editing.ts'
import { requireCompany } from './known-company.ts'
import { heldRoles, noteAccessChange, type Person, startRole } from './store.ts'
import type { CompanyRole } from './vocabulary.ts'

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
  if (isEditing([...before, started]) !== isEditing(before)) await noteAccessChange(tx, person)
}

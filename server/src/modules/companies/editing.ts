import type { CompanyRole } from './vocabulary.ts'

/** Founder, admin and editor edit the company and see its investors; an employee is only named as one of the team. */
const EDITING_ROLES: ReadonlySet<CompanyRole> = new Set(['founder', 'admin', 'editor'])

export function isEditing(roles: Iterable<{ readonly role: CompanyRole }>): boolean {
  return [...roles].some(({ role }) => EDITING_ROLES.has(role))
}

import { type OrganizationRole, refuseRole } from '#access/organizations/index.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries } from '#system/postgres/database.ts'
import { findTeamRoleOn } from './store.ts'

/** "Developers edit apps, keys and scopes" with everybody above them; what ends something needs an admin or an owner. */
export const EDITORS: readonly OrganizationRole[] = ['owner', 'admin', 'developer']
export const ADMINS: readonly OrganizationRole[] = ['owner', 'admin']

export type Seat = { readonly account: Id<'account'>; readonly app: Id<'app'> }

/** Not on the team: 404, as if there were no such app. Too low a role: 403. */
export async function requireTeam(
  queries: PlatformQueries,
  seat: Seat,
  roles: readonly OrganizationRole[],
): Promise<OrganizationRole> {
  const role = await findTeamRoleOn(queries, seat)
  if (role === null) throw notFound(`${seat.account} is on no team of app ${seat.app}`)
  refuseRole(role, roles)
  return role
}

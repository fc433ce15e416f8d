import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { refuseRole } from './member-rules.ts'
import { findRole, lockOrganization, ORGANIZATION_ROLES, type Organization, type OrganizationRole } from './store.ts'

export type Place = { readonly organization: Id<'organization'>; readonly account: Id<'account'> }

/** Not on the team: 404, as if there were no such organization. Too low a role: 403. */
export async function requireMember(
  queries: PlatformQueries,
  { organization, account }: Place,
  roles: readonly OrganizationRole[] = ORGANIZATION_ROLES,
): Promise<OrganizationRole> {
  const role = await findRole(queries, organization, account)
  if (role === null) throw notFound(`${account} is not on the team of ${organization}`)
  refuseRole(role, roles)
  return role
}

export type Held = { readonly organization: Organization; readonly role: OrganizationRole }

/** An organization that may still be changed, locked, with what its member may do there. */
export async function holdAsMember(
  tx: PlatformTx,
  place: Place,
  { event, roles }: { readonly event: string; readonly roles?: readonly OrganizationRole[] },
): Promise<Held> {
  const organization = await lockOrganization(tx, place.organization)
  if (organization === null) throw notFound(`organization ${place.organization} is unknown`)
  const role = await requireMember(tx, place, roles)
  refuseEnded(organization, event)
  return { organization, role }
}

/** "Repeated or deliberate violations can end the organization's access": for good, so nothing is changed there. */
export function refuseEnded({ state }: Pick<Organization, 'state'>, event: string): void {
  if (state === 'active') return
  throw new ApiError('illegal_transition', {
    public: 'The platform ended this organization’s access: nothing of it can be changed any more.',
    remediation: 'Write to the platform if you believe that this is a mistake.',
    details: { from: 'ended', event, allowed: [] },
  })
}

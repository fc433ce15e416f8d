export { addMember } from './add-member.ts'
export { createOrganization, type NewOrganization } from './create-organization.ts'
/** What the portal's requests and answers are made of: the apps' routes speak the same way. */
export { Exactly, IdOf, Line, One, OneOf, OrNull, Resource, Time } from './fields.ts'
export { purgeInvitations } from './invitation-store.ts'
export { refuseRole } from './member-rules.ts'
export {
  findRole,
  type Member,
  type Membership,
  ORGANIZATION_ROLES,
  type OrganizationRole,
  organizationsOf,
} from './member-store.ts'
export { type Naming, refusePlatformName } from './platform-name.ts'
export { organizationRoutes, type PortalDeps } from './portal-routes.ts'
export { type Held, holdAsMember, type Place, refuseEnded, requireMember } from './require-member.ts'
export { OrganizationParam, OrganizationRecord, organizationRecord } from './schemas.ts'
export {
  findOrganization,
  listOrganizations,
  lockOrganization,
  markEnded,
  ORGANIZATION_STATES,
  type Organization,
  type OrganizationState,
} from './store.ts'

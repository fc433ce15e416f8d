export { addMember } from './add-member.ts'
export { createOrganization, type NewOrganization } from './create-organization.ts'
export { purgeInvitations } from './invitation-store.ts'
export { refuseRole } from './member-rules.ts'
export { type Naming, type PlatformNames, refusePlatformName } from './platform-name.ts'
export { type Held, holdAsMember, type Place, refuseEnded, requireMember } from './require-member.ts'
export {
  findOrganization,
  findRole,
  listOrganizations,
  lockOrganization,
  type Member,
  type Membership,
  markEnded,
  ORGANIZATION_ROLES,
  ORGANIZATION_STATES,
  type Organization,
  type OrganizationRole,
  type OrganizationState,
  organizationsOf,
} from './store.ts'

export { addMember } from './add-member.ts'
export { createOrganization, type NewOrganization } from './create-organization.ts'
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
export { type Naming, type PlatformNames, refusePlatformName } from './platform-name.ts'
export { type Held, holdAsMember, type Place, refuseEnded, requireMember } from './require-member.ts'
export {
  findOrganization,
  listOrganizations,
  lockOrganization,
  markEnded,
  ORGANIZATION_STATES,
  type Organization,
  type OrganizationState,
} from './store.ts'

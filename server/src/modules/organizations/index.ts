export { addMember } from './add-member.ts'
export { createOrganization, type NewOrganization } from './create-organization.ts'
export { findRole, type Member, ORGANIZATION_ROLES, type OrganizationRole } from './store.ts'

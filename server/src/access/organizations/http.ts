/** What the portal's requests and answers are made of: the apps' routes speak the same way. */

export type { InvitationMails } from './invitation-mail.ts'
export { acceptInvitation, declineInvitation, inviteMember, withdrawInvitation } from './invitation-routes.ts'
export { foundOrganization, organizationRoutes, type PortalDeps, renameOrganization } from './portal-routes.ts'
export {
  InvitationParam,
  MemberParam,
  NewMember,
  One,
  OrganizationBody,
  OrganizationParam,
  OrganizationRecord,
  organizationRecord,
  Resource,
  RoleChange,
  Time,
} from './schemas.ts'
export { changeRole, removeMember } from './team-routes.ts'

/** Schema parts of the portal's requests and responses, which the routes of apps share. */

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

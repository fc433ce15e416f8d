export type { InvitationMails } from './invitation-mail.ts'
export { acceptInvitation, declineInvitation, inviteMember, withdrawInvitation } from './invitation-routes.ts'
export { foundOrganization, organizationRoutes, type PortalDeps, renameOrganization } from './portal-routes.ts'
// Schema parts of the portal's requests and responses. Routes of other modules use them, too.
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

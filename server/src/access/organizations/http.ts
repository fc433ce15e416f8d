export type { InvitationMails } from './invitation-mail.ts'
export { acceptInvitation, declineInvitation, inviteMember, withdrawInvitation } from './invitation-routes.ts'
export { foundOrganization, organizationRoutes, type PortalDeps, renameOrganization } from './portal-routes.ts'
// Parts of the schemas of the portal's requests and responses, which routes of other modules use, too.
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

export { INVESTED, ROLE as MEMBER_ROLE, SELECTED as SELECTED_DEALS } from './api/directory-store.ts'
export { forManagers, type Manager, managerOf, type SyndicateCaller } from './api/manager-access.ts'
export { changeProfile, eraseMember, hideMember, restoreMember } from './directory.ts'
export type { InvitationMails } from './invitation-mail.ts'
export {
  declineInvitationMail,
  findInvitationOf,
  findOpenInvitation,
  type Invitation,
  type OpenInvitation,
} from './invitation-store.ts'
export type { Inviting } from './invitations.ts'
export { inviteMember, reinviteMember } from './invitations.ts'
export type { MovedMembership } from './membership-moves.ts'
export { knownPerson, type LockedState, lockStateById, lockStateOf, type PersonHere } from './membership-moves.ts'
export {
  approveMembership,
  joiningMove,
  MEMBERSHIP_MACHINE,
  MEMBERSHIP_STATES,
  type MembershipAlso,
  type MembershipEvent,
  type MembershipMove,
  type MembershipState,
  type MembershipTransition,
  moveMembership,
} from './membership-states.ts'
export { type MembershipView, readMembership } from './membership-store.ts'
export {
  type Admission,
  type Approval,
  admitPerson,
  applyForMembership,
  approveApplication,
  declineApplication,
  demoteMember,
  endManager,
  failPayment,
  type Joining,
  joinSyndicate,
  leaveSyndicate,
  type NewManager,
  promoteMember,
  removeMember,
  setManager,
  withdrawApplication,
} from './memberships.ts'
export { lockMember, type Person } from './people-store.ts'
export type { DirectoryChanges, DirectoryEntry, MemberProfile } from './syndicate.ts'
export { type Fund, PERMISSIONS, type Permission, type SyndicateSettings } from './syndicate.ts'
export {
  addDeal,
  createSyndicate,
  type Deal,
  deleteDraft,
  type NewSyndicate,
  removeDeal,
  setMemberCountries,
  updateSyndicate,
} from './syndicate-settings.ts'
export {
  type JoiningRules,
  joiningRules,
  readSyndicate,
  type SyndicateView,
  syndicateExists,
} from './syndicate-store.ts'

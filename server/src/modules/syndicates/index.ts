export { type Admission, admitPerson } from './admit-person.ts'
export { INVESTED, ROLE as MEMBER_ROLE, SELECTED as SELECTED_DEALS } from './api/directory-sql-store.ts'
export { forManagers, type Manager, managerOf, type SyndicateCaller } from './api/managing.ts'
export { applyForMembership } from './apply-for-membership.ts'
export { type Approval, approveApplication } from './approve-application.ts'
export { addDeal, type Deal, removeDeal } from './change-deals.ts'
export { demoteMember, promoteMember } from './change-permission.ts'
export { changeProfile } from './change-profile.ts'
export { createSyndicate, type NewSyndicate } from './create-syndicate.ts'
export { deleteDraft } from './delete-draft.ts'
export type { DirectoryChanges, DirectoryEntry, MemberProfile } from './directory.ts'
export { endManager } from './end-manager.ts'
export { declineApplication, failPayment, leaveSyndicate, removeMember, withdrawApplication } from './end-membership.ts'
export { eraseMember } from './erase-member.ts'
export { hideMember, restoreMember } from './hide-member.ts'
export type { Inviting } from './invitation.ts'
export { findInvitationOf, type Invitation } from './invitation-store.ts'
export { inviteMember } from './invite-member.ts'
export { type Joining, joinSyndicate } from './join-syndicate.ts'
export { approveMembership, joiningMove, type MembershipTransition, moveMembership } from './joining.ts'
export {
  MEMBERSHIP_MACHINE,
  MEMBERSHIP_STATES,
  type MembershipAlso,
  type MembershipEvent,
  type MembershipMove,
  type MembershipState,
} from './membership-states.ts'
export type { MovedMembership } from './perform-move.ts'
export { knownPerson } from './person.ts'
export { reinviteMember } from './reinvite-member.ts'
export { type NewManager, setManager } from './set-manager.ts'
export { setMemberCountries } from './set-member-countries.ts'
export { type PersonHere, type Standing, standingById, standingOf } from './standing.ts'
export { lockMember, type Person } from './store.ts'
export { type Fund, PERMISSIONS, type Permission, type SyndicateSettings } from './syndicate.ts'
export { type JoiningRules, joiningRules, syndicateExists } from './syndicate-store.ts'
export { updateSyndicate } from './update-syndicate.ts'
export { type MembershipView, readMembership, readSyndicate, type SyndicateView } from './view-store.ts'

export {
  invitationQueue,
  listUnsentInvitations,
  nextInvitationInMs,
  retryInvitation,
} from './mail-store.ts'
export { eraseInvites, useLink } from './manage-link.ts'
export { type InviteMailing, sendInviteMails } from './send-mails.ts'
export { findInstallationOfLink } from './store.ts'

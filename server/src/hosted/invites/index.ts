export { eraseInvites, useLink } from './change-link.ts'
export { type InviteMailing, sendInviteMails } from './send-mails.ts'

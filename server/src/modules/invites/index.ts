export { eraseInvites } from './erase-invites.ts'
export { type InviteMailing, sendInviteMails } from './mail/send-mails.ts'
export { useLink } from './use-link.ts'

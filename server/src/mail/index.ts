export type { Letter, MailBrand } from './letter.ts'
export { type MailTokens, mailTokens } from './mail-token.ts'
export { type Mailer, openMailer, sendMails } from './outbox.ts'
export {
  deleteMailsAbout,
  deleteMailsTo,
  emptyMailsAboutFromWorld,
  purgeDeadMails,
  purgeUnsentMails,
  queueMail,
  queueMailFromWorld,
  removeFactsFromWorld,
} from './store.ts'
export { type DkimSettings, MailRejected, type MailSettings } from './transports.ts'

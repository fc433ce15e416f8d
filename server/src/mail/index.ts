export type { Letter, MailBrand } from './letter.ts'
export { type Mailer, type MailTokens, mailTokens, openMailer, sendMails } from './outbox.ts'
export {
  deleteMailsAbout,
  deleteMailsTo,
  emptyMailsAboutFromWorld,
  mailQueue,
  nextMailInMs,
  purgeDeadMails,
  purgeUnsentMails,
  queueMail,
  queueMailFromWorld,
  removeFactsFromWorld,
} from './store.ts'
export { type DkimSettings, MailRejected, type MailSettings } from './transports.ts'

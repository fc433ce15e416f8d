export type { Letter, MailBrand } from './letter.ts'
export { type Mailer, type MailTokens, mailTokens, openMailer, sendMails } from './outbox.ts'
export {
  countDeadMails,
  type DeadMail,
  deleteMailsAbout,
  deleteMailsTo,
  emptyMailsAboutFromWorld,
  listDeadMails,
  mailQueue,
  nextMailInMs,
  purgeDeadMails,
  purgeUnsentMails,
  queueMail,
  queueMailFromWorld,
  removeFactsFromWorld,
  retryMail,
} from './store.ts'
export { type DkimSettings, loggedMailError, MailRejected, type MailSettings } from './transports.ts'

export type { Letter, MailBrand } from './letter.ts'
export { type Mailer, openMailer, sendMails } from './outbox.ts'
export { purgeDeadMails, queueMail } from './store.ts'
export { type DkimSettings, MailRejected, type MailSettings } from './transports.ts'

export type { Mail, MailSender } from './mail.ts'
export { mailDirectory } from './mail-directory.ts'
export { sendMails } from './send-mails.ts'
export { tellTeam } from './tell-team.ts'

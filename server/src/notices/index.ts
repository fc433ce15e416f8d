export type { Mail, MailSender } from './notify-team.ts'
export { mailDirectory, notifyTeam, sendMails } from './notify-team.ts'

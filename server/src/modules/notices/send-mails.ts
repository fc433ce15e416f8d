import type { Log } from '#system/log.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import type { MailSender } from './mail.ts'
import { findRecipients, markMailed, takeMails } from './mail-store.ts'
import type { Notice } from './notice.ts'
import { noticeMail } from './notice-mail.ts'

type Mailing = { readonly platform: PlatformDatabase; readonly sender: MailSender; readonly log: Log }

/** Sends what is due, outside of any transaction, and says how many it took. One that fails is tried again later. */
export async function sendMails(mailing: Mailing, limit: number): Promise<number> {
  const notices = await takeMails(mailing.platform.reads, limit)
  for (const notice of notices) {
    try {
      await mailTeam(mailing, notice)
    } catch (error) {
      mailing.log.error({ notice: notice.id, err: error }, 'a notice could not be mailed; it will be tried again')
    }
  }
  return notices.length
}

async function mailTeam({ platform, sender }: Mailing, notice: Notice): Promise<void> {
  for (const to of await findRecipients(platform.reads, notice.id)) await sender.send(noticeMail(notice, to))
  await markMailed(platform.reads, notice.id)
}

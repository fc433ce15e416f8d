import type { Log } from '#system/log.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import type { Mail, MailSender } from './mail.ts'
import type { Notice } from './notice.ts'
import { findRecipients, markMailed, takeMails } from './store.ts'

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

type Words = { readonly subject: string; readonly lines: readonly string[] }

const SEE_HISTORY = 'GET /webhook_endpoints/{id}/deliveries shows what was answered.'
const RESUME = 'Once it works again, POST /webhook_endpoints/{id}/reenable: what waited is delivered, the oldest first.'

/** What a team reads, and what it can do about it. */
function noticeMail(notice: Notice, to: string): Mail {
  const { subject, lines } = wordsOf(notice)
  const about = [
    `App: ${notice.app_name}`,
    `Mode: ${notice.world}`,
    `Endpoint: ${notice.subject}`,
    `URL: ${notice.details.url}`,
    ...(notice.details.failing_since === null ? [] : [`Failing since: ${notice.details.failing_since}`]),
  ]
  return { to, subject: `${notice.app_name}: ${subject}`, text: [...lines, '', ...about, ''].join('\n') }
}

function wordsOf({ kind, details }: Notice): Words {
  switch (kind) {
    case 'webhook_endpoint.failing':
      return {
        subject: 'a webhook endpoint is failing',
        lines: ['Deliveries to it fail. They are tried again for about three days.', SEE_HISTORY],
      }
    case 'webhook_endpoint.disabled_soon':
      return {
        subject: 'a webhook endpoint will be disabled in a day',
        lines: ['It has not accepted one delivery for four days. After five it is disabled.', SEE_HISTORY],
      }
    case 'webhook_endpoint.disabled': {
      const why = details.reason === 'gone' ? 'It answered 410 Gone.' : 'It did not accept one delivery for five days.'
      return { subject: 'a webhook endpoint was disabled', lines: [`${why} Nothing is lost meanwhile.`, RESUME] }
    }
  }
}

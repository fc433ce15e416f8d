import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId, newIdBody } from '#kernel/ids.ts'
import type { Log } from '#system/log.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import type { EndpointNotice, NotifyTeam } from '#webhooks/index.ts'
import { findRecipients, insertNotice, markMailed, type Notice, takeMails } from './store.ts'

/** Adds a notice about an endpoint to the feed of its team; `sendMails` mails it later. */
export const notifyTeam: NotifyTeam = async (
  tx,
  { kind, app, world, endpoint, url, failingSince, reason }: EndpointNotice,
) => {
  const details = { url, failing_since: failingSince, reason }
  await insertNotice(tx, { id: newId('notice'), app, world, kind, subject: endpoint, details })
}

type Mailing = { readonly platform: PlatformDatabase; readonly sender: MailSender; readonly log: Log }

/** Sends due mails outside of any transaction and returns how many notices it took. A failed mail is retried later. */
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

/** A mail in plain text. */
export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

/** Sends mail. One mail may be sent twice, if the process dies before the success is recorded. */
export type MailSender = {
  send(mail: Mail): Promise<void>
}

/**
 * Writes each mail to a file in a directory; file names sort by time. The default where no mail server is configured. A
 * rename makes the file appear whole.
 */
export function mailDirectory(directory: string): MailSender {
  return {
    async send(mail) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const path = join(directory, `${newIdBody()}.eml`)
      await writeFile(`${path}.draft`, mailText(mail), { mode: 0o600 })
      await rename(`${path}.draft`, path)
    },
  }
}

function mailText({ to, subject, text }: Mail): string {
  const headers = [`To: ${oneLine(to)}`, `Subject: ${oneLine(subject)}`, `Date: ${new Date().toUTCString()}`]
  return [...headers, 'Content-Type: text/plain; charset=utf-8', '', text].join('\r\n')
}

/** Prevents header injection: names come from users. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}

import { newId } from '#kernel/ids.ts'
import { type Letter, queueMail } from '#mail/index.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import type { EndpointNotice, NotifyTeam } from '#webhooks/index.ts'
import { findRecipients, insertNotice, type Notice, takeMails } from './store.ts'

/** Adds a notice about an endpoint to the feed of its team; `mailNotices` mails it later. */
export const notifyTeam: NotifyTeam = async (
  tx,
  { kind, app, world, endpoint, url, failingSince, reason }: EndpointNotice,
) => {
  const details = { url, failing_since: failingSince, reason }
  await insertNotice(tx, { id: newId('notice'), app, world, kind, subject: endpoint, details })
}

/** Writes a mail to each member of the team of each notice that is due, and returns how many notices it took. */
export async function mailNotices(platform: PlatformDatabase, limit: number): Promise<number> {
  return platform.transaction(async (tx) => {
    const notices = await takeMails(tx, limit)
    for (const notice of notices) {
      const letter = noticeLetter(notice)
      for (const { account, email } of await findRecipients(tx, notice.id)) {
        await queueMail(tx, { key: `${notice.id} ${account}`, to: email, letter })
      }
    }
    return notices.length
  })
}

type Words = { readonly subject: string; readonly lines: readonly string[] }

const SEE_HISTORY = 'GET /webhook_endpoints/{id}/deliveries shows what was answered.'
const RESUME = 'Once it works again, POST /webhook_endpoints/{id}/reenable: what waited is delivered, the oldest first.'

function noticeLetter(notice: Notice): Letter {
  const { subject, lines } = wordsOf(notice)
  const { url, failing_since } = notice.details
  return {
    subject: `${notice.app_name}: ${subject}`,
    paragraphs: lines,
    facts: [
      ['App', notice.app_name],
      ['Mode', notice.world],
      ['Endpoint', notice.subject],
      ['URL', url],
      ...(failing_since === null ? [] : [['Failing since', failing_since] as const]),
    ],
    notes: ['You get this because you are on the team of this app.'],
  }
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

import type { AppNotice, NotifyAppTeam } from '#access/apps/index.ts'
import { newId } from '#kernel/ids.ts'
import { queueMail } from '#mail/index.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import type { EndpointNotice, NotifyTeam, SecretNotice } from '#webhooks/index.ts'
import { noticeLetter } from './letters.ts'
import {
  findRecipients,
  insertNotice,
  insertNoticeOnPlatform,
  type NewNotice,
  type NoticeDetails,
  takeMails,
} from './store.ts'

export { nextNoticeInMs, noticeQueue } from './store.ts'

/** Adds a notice about an endpoint to the feed of the app's team; `mailNotices` mails it later. */
export const notifyTeam: NotifyTeam = async (
  tx,
  { kind, app, world, endpoint, url, failingSince, reason }: EndpointNotice,
) => {
  const details = { url, failing_since: failingSince, reason }
  await insertNotice(tx, { id: newId('notice'), app, world, kind, subject: endpoint, details })
}

/** Adds a notice about an app or one of its keys to the feed of the app's team. */
export const notifyAppTeam: NotifyAppTeam = async (tx, notice) => {
  const { kind, app } = notice
  const ofKey = notice.kind === 'app_key.secret_expiring'
  const about = ofKey ? { world: notice.world, subject: notice.key } : { world: null, subject: app }
  await insertNoticeOnPlatform(tx, { id: newId('notice'), app, kind, ...about, details: detailsOf(notice) })
}

function detailsOf(notice: AppNotice): NoticeDetails {
  switch (notice.kind) {
    case 'app.suspended':
      return { reason: notice.reason }
    case 'app.suspension_lifted':
    case 'app.approved':
    case 'app.pii_approved':
      return {}
    case 'app.program_granted':
      return notice.program
    case 'app.request_declined':
      return { request: notice.request, program: notice.program, reason: notice.reason }
    case 'app.scopes_removed':
      return { scopes: notice.scopes, by: notice.by, stopped: notice.stopped }
    case 'app.pii_withdrawn':
      return { stopped: notice.stopped }
    case 'app.conditions_published':
      return { version: notice.version }
    case 'app_key.secret_expiring':
      return { name: notice.name, expires_at: notice.expiresAt }
  }
}

/** Adds a notice about an endpoint's signing secret to the feed of the app's team. */
export async function notifyOfSigningSecret(tx: PlatformTx, notice: SecretNotice): Promise<void> {
  const { kind, app, world, endpoint: subject, url, expiresAt: expires_at } = notice
  const added: NewNotice = { id: newId('notice'), app, world, kind, subject, details: { url, expires_at } }
  await insertNoticeOnPlatform(tx, added)
}

/** For each notice that is due, queues a mail to every member of the team. Returns the number of notices. */
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

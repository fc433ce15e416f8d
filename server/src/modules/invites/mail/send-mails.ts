import { brandName } from '#http/pages/platform-brand.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import type { Log } from '#system/log.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { linkPath } from '../link-path.ts'
import { inviteMail } from './invite-mail.ts'
import { type DueMail, dropMail, markMailed, takeMails } from './mail-store.ts'

export type InviteMailing = {
  readonly db: WorldDatabase
  readonly links: PageLinks
  readonly brand: string
  readonly sender: { send(mail: { to: string; subject: string; text: string }): Promise<void> }
  readonly log: Log
}

/** Sends what is due, outside of any transaction, and says how much that was. What failed is tried again later. */
export async function sendInviteMails(mailing: InviteMailing, limit: number): Promise<number> {
  const due = await takeMails(mailing.db.reads, limit)
  await Promise.all(due.map((mail) => send(mailing, mail)))
  return due.length
}

async function send({ db, links, brand, sender, log }: InviteMailing, due: DueMail): Promise<void> {
  const { id, origin, to, ...told } = due
  try {
    if (to === null) return await dropMail(db.reads, due)
    const url = origin + linkPath(links, db.world, id)
    await sender.send(inviteMail({ ...told, to, url, world: db.world, brand: brandName(brand) }))
    await markMailed(db.reads, due)
  } catch (error) {
    log.error({ invite_link: id, err: error }, 'an invitation could not be mailed; it will be tried again')
  }
}

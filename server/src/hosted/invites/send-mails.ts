import { newIdBody } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { type Letter, loggedMailError, type Mailer, MailRejected } from '#mail/index.ts'
import { brandName } from '#pages/platform-brand.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import type { Log } from '#system/log.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { linkPath } from './link.ts'
import { type DueMail, dropMail, giveUpMail, isLastTry, markMailed, takeMails } from './mail-store.ts'

export type InviteMailing = {
  readonly db: WorldDatabase
  readonly links: PageLinks
  readonly brand: string
  readonly mailer: Pick<Mailer, 'send'>
  readonly log: Log
}

/** Sends due mails outside of any transaction and returns their number. Mails that fail are retried later. */
export async function sendInviteMails(mailing: InviteMailing, limit: number): Promise<number> {
  const due = await takeMails(mailing.db.reads, limit)
  await Promise.all(due.map((mail) => send(mailing, mail)))
  return due.length
}

async function send({ db, links, brand, mailer, log }: InviteMailing, due: DueMail): Promise<void> {
  const { id, origin, to, ...invitation } = due
  try {
    if (to === null) return await dropMail(db.reads, due)
    const url = origin + linkPath(links, db.world, id)
    const letter = inviteLetter({ ...invitation, url, world: db.world, brand: brandName(brand) })
    await mailer.send({ id: newIdBody(), to, letter })
    await markMailed(db.reads, due)
  } catch (error) {
    const fields = { invite_link: id, ...loggedMailError(error) }
    if (error instanceof MailRejected) {
      log.warn(fields, 'an invitation was rejected for good by the mail server')
      return await giveUpMail(db.reads, due)
    }
    if (isLastTry(due.attempt)) {
      log.error(fields, 'an invitation could not be mailed, and is not tried again')
      return await giveUpMail(db.reads, due)
    }
    log.error(fields, 'an invitation could not be mailed; it will be tried again')
  }
}

type Written = Omit<DueMail, 'id' | 'attempt' | 'kind' | 'origin' | 'to'> & {
  readonly url: string
  readonly world: World
  readonly brand: string
}

/**
 * The mail with the link. The partner's text is a quotation, so that the reader sees who wrote it. The mail has no terms of the
 * offering, because they may change; the page shows the current terms. "The copy says reserve or reservation, never invest" if the
 * offering tests the waters.
 */
function inviteLetter(written: Written): Letter {
  const { app, organization, company, message, url, world, brand } = written
  const verb = written.testingTheWaters ? 'reserve' : 'invest'
  return {
    subject: `${world === 'test' ? '[Sandbox] ' : ''}${app} invites you to an offering of ${company}`,
    greeting: greeting(written),
    paragraphs: [`${app}, an app of ${organization}, invites you to look at an offering of ${company} on ${brand}.`],
    ...(message === null ? {} : { quote: { from: 'They write', text: message } }),
    action: { label: 'See the offering', url },
    notes: [
      `The link is for you alone. On its page you decide whether you ${verb}.`,
      `If you did not expect this mail, you need not do anything. To get no more such mails from ${app}, open the page and press “No, thank you”.`,
      ...(world === 'test' ? ['This is a test: nothing in this mail is real, and no money moves.'] : []),
    ],
  }
}

/** The names are the only text outside the quotation that the partner writes for this mail, so they must have the form of a name. */
function greeting({ firstName, lastName }: Pick<Written, 'firstName' | 'lastName'>): string {
  return `${['Hello', firstName, lastName].filter((part) => part !== null).join(' ')},`
}

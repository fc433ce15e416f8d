import { brandName } from '#http/pages/platform-brand.ts'
import type { World } from '#kernel/world.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import type { Log } from '#system/log.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { linkPath } from './link.ts'
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

type Mail = { readonly to: string; readonly subject: string; readonly text: string }
type Written = Omit<DueMail, 'id' | 'attempt' | 'kind' | 'origin' | 'to'> & {
  readonly to: string
  readonly url: string
  readonly world: World
  readonly brand: string
}

/**
 * What a person reads who was sent a link. The partner's words stand apart and are marked as theirs; nothing is said of the
 * terms, which the page tells as they are then. "The copy says reserve or reservation, never invest" where it has to.
 */
function inviteMail(written: Written): Mail {
  const { to, app, organization, company, url, world, brand } = written
  const subject = `${world === 'test' ? '[Sandbox] ' : ''}${app} invites you to an offering of ${company}`
  const verb = written.testingTheWaters ? 'reserve' : 'invest'
  const lines = [
    greeting(written),
    '',
    `${app}, an app of ${organization}, invites you to look at an offering of ${company} on ${brand}.`,
    ...quoted(written.message),
    '',
    'See what it is:',
    url,
    '',
    `The link is for you alone. Whether you ${verb} is your decision, which you make there; nobody can make it for you.`,
    `If you did not expect this mail, you need not do anything. Say no there, and you get no more of them from ${app}.`,
    ...(world === 'test' ? ['', 'This is a test: nothing of it is real, and no money moves.'] : []),
    '',
  ]
  return { to, subject, text: lines.join('\n') }
}

/** The only words of the partner's outside its quote: the form of a name is all that it may have. */
function greeting({ firstName, lastName }: Pick<Written, 'firstName' | 'lastName'>): string {
  return `${['Hello', firstName, lastName].filter((part) => part !== null).join(' ')},`
}

function quoted(message: string | null): readonly string[] {
  if (message === null) return []
  return ['', 'They write:', ...message.split('\n').map((line) => `> ${line}`)]
}

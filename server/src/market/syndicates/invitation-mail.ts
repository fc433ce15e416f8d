import type { Id } from '#kernel/ids.ts'
import { holdsLink } from '#kernel/text.ts'
import type { World } from '#kernel/world.ts'
import { emptyMailsAboutFromWorld, type Letter, queueMailFromWorld, removeFactsFromWorld } from '#mail/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type InvitationMail, takeInvitationMail } from './invitation-store.ts'

/** The values that an invitation's mail needs from outside this module. */
export type InvitationMails = {
  /** The full URL of the page on which the person answers. */
  readonly link: (world: World, id: Id<'membership'>) => string
  readonly platformName: string
}

type Invited = { readonly syndicateId: Id<'syndicate'>; readonly id: Id<'membership'> }

/**
 * "Sends email invite": queues the mail of an invitation by a manager or an app, in the transaction of the invitation. The mails
 * of invitations that the host platform reports by facts are sent by the host platform.
 */
export async function mailInvitation(tx: Tx, mails: InvitationMails | null, { syndicateId, id }: Invited) {
  const due = mails === null ? null : await takeInvitationMail(tx, syndicateId, id)
  if (mails === null || due === null) return
  const letter = invitationLetter(due, { url: mails.link(tx.world, id), world: tx.world, brand: mails.platformName })
  await queueMailFromWorld(tx, { key: `${occasionOf(tx.world, id)}${due.times}`, to: due.email, letter })
}

/** The prefix of the keys of one invitation's mails; the number of the mail follows. */
const occasionOf = (world: World, id: Id<'membership'>) => `syndicate_invitation ${world} ${id} `

/** Drops the queued mails of invitations that are no longer valid. */
export async function dropInvitationMails(tx: Tx, ids: readonly Id<'membership'>[]): Promise<void> {
  await emptyMailsAboutFromWorld(
    tx,
    ids.map((id) => occasionOf(tx.world, id)),
  )
}

type Invitations = readonly { readonly id: Id<'membership'> }[]

/**
 * For an erased person: empties the queued mails to them, and removes their name from the mails in which they invite
 * other people.
 */
export async function eraseFromMails(
  tx: Tx,
  { received, sent }: { readonly received: Invitations; readonly sent: Invitations },
): Promise<void> {
  await dropInvitationMails(
    tx,
    received.map(({ id }) => id),
  )
  await removeFactsFromWorld(
    tx,
    sent.map(({ id }) => occasionOf(tx.world, id)),
  )
}

type Around = { readonly url: string; readonly world: World; readonly brand: string }

/**
 * The subject contains nothing that a person typed, and the mail shows no name that contains a web address; only the page shows
 * such a name. The inviter's name is only in the letter's table (`facts`), because an erasure removes that table.
 */
function invitationLetter({ syndicate, inviter }: InvitationMail, { url, world, brand }: Around): Letter {
  const plain = (name: string | null, instead: string) => (name === null || holdsLink(name) ? instead : name)
  const who = plain(inviter, 'a manager')
  return {
    subject: `${world === 'test' ? '[Sandbox] ' : ''}You are invited to a syndicate at ${brand}`,
    paragraphs: [
      `You are invited to ${plain(syndicate, 'a group')}, a syndicate at ${brand}: a group of people who invest together.`,
      'The page of the link says what joining means. Nothing happens before you decide there, and joining invests nothing.',
    ],
    action: { label: 'See the invitation', url },
    facts: [['Invited by', who]],
    notes: [
      'If you do not know these people, do nothing. On the page you can also choose to get no more mails about this invitation.',
      ...(world === 'test' ? ['This is a test: nothing in this mail is real, and no money moves.'] : []),
    ],
  }
}

import type { Id } from '#kernel/ids.ts'
import { holdsLink } from '#kernel/text.ts'
import type { World } from '#kernel/world.ts'
import { emptyMailsAboutFromWorld, type Letter, queueMailFromWorld, removeFactsFromWorld } from '#mail/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type InvitationMail, takeInvitationMail } from './invitation-store.ts'

/** What the mail of an invitation is made with. */
export type InvitationMails = {
  /** The whole address of the page on which the person answers. */
  readonly link: (world: World, id: Id<'membership'>) => string
  readonly platformName: string
}

type Invited = { readonly syndicateId: Id<'syndicate'>; readonly id: Id<'membership'> }

/**
 * "Sends email invite": for what managers and apps do here, in the transaction that does it. Invitations that the host platform
 * reports by a fact it has sent itself.
 */
export async function mailInvitation(tx: Tx, mails: InvitationMails | null, { syndicateId, id }: Invited) {
  const due = mails === null ? null : await takeInvitationMail(tx, syndicateId, id)
  if (mails === null || due === null) return
  const letter = invitationLetter(due, { url: mails.link(tx.world, id), world: tx.world, brand: mails.platformName })
  await queueMailFromWorld(tx, { key: `${occasionOf(tx.world, id)}${due.times}`, to: due.email, letter })
}

/** What the keys of the mails of one invitation begin with; the number of the mail follows. */
const occasionOf = (world: World, id: Id<'membership'>) => `syndicate_invitation ${world} ${id} `

/** An invitation that no longer holds is not mailed any more. */
export async function dropInvitationMails(tx: Tx, ids: readonly Id<'membership'>[]): Promise<void> {
  await emptyMailsAboutFromWorld(
    tx,
    ids.map((id) => occasionOf(tx.world, id)),
  )
}

type Invitations = readonly { readonly id: Id<'membership'> }[]

/** For an erased person: mails to them are deleted, and mails by which they invited others no longer name them. */
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
 * The subject holds nothing that a person typed, and a name that looks like a web address is shown on the page alone. The inviter is
 * named in the facts and nowhere else, because an erasure removes those.
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
      'If you do not know these people, do nothing. On the page you can also ask for no more of these mails.',
      ...(world === 'test' ? ['This is a test: nothing of it is real, and no money moves.'] : []),
    ],
  }
}

import { rateLimited } from '#http/rate-limit.ts'
import type { Id } from '#kernel/ids.ts'
import { type Letter, type MailTokens, queueMail } from '#mail/index.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { findAccountName, invitationMailKey, setInvitationLink } from './invitation-store.ts'
import type { OrganizationRole } from './store.ts'

export const INVITATION_PATH = '/invitations'

export type CountedMail = {
  readonly email: string
  readonly organization: Id<'organization'>
  /** Mails are also counted per inviter, for all of the inviter's organizations together. */
  readonly invitedBy: Id<'account'>
}

/** The dependencies of an invitation's mail. Without mail, an invited person finds the invitation in their settings. */
export type InvitationMails = {
  readonly tokens: MailTokens
  /** Counts a mail. Returns null if it may be sent now, otherwise the limit that it exceeds and the seconds until it may be sent. */
  readonly countMail: (
    tx: PlatformTx,
    mail: CountedMail,
  ) => Promise<{ readonly limit: number; readonly retryAfterSeconds: number } | null>
  /** Our public address, known after the server has started to listen. */
  readonly origin: () => string
  readonly platformName: string
}

type Invited = {
  readonly id: Id<'organizationInvitation'>
  readonly organization: { readonly id: Id<'organization'>; readonly name: string }
  readonly invitedBy: Id<'account'>
  readonly email: string
  readonly role: OrganizationRole
}

/** A team may invite many people, but not flood one person with mail. The mails of one inviter in all teams are limited, too. */
async function rejectTooManyMails(
  tx: PlatformTx,
  { countMail }: InvitationMails,
  { organization, invitedBy, email }: Invited,
): Promise<void> {
  const exceeded = await countMail(tx, { email, organization: organization.id, invitedBy })
  if (exceeded === null) return
  const resetAt = Math.ceil(Date.now() / 1_000) + exceeded.retryAfterSeconds
  throw rateLimited(
    { ...exceeded, periodSeconds: 3_600, resetAt },
    'Too many invitations were mailed to this address, by this organization or by you.',
  )
}

/**
 * Queues the mail in the transaction that creates the invitation. The queue stores only the seed of the link's token. The token is computed
 * from the seed when the mail is sent.
 */
export async function queueInvitationMail(tx: PlatformTx, mails: InvitationMails, invited: Invited): Promise<void> {
  await rejectTooManyMails(tx, mails, invited)
  const { seed, token } = mails.tokens.issue('team_invitation')
  await setInvitationLink(tx, invited.id, digestOf(token))
  const link = { url: `${mails.origin()}${INVITATION_PATH}/`, seed }
  const inviter = await findAccountName(tx, invited.invitedBy)
  const letter = invitationLetter(mails.platformName, { ...invited, inviter, link })
  await queueMail(tx, { key: invitationMailKey(invited.id), to: invited.email, letter })
}

type Words = Pick<Invited, 'organization' | 'role'> & {
  readonly inviter: string
  readonly link: { readonly url: string; readonly seed: string }
}

function invitationLetter(brand: string, { organization, role, inviter, link }: Words): Letter {
  return {
    // The subject contains nothing that a person typed, because readers trust a subject more than the body.
    subject: `You are invited to a team at ${brand}`,
    paragraphs: [
      `${inviter} invites you to the team of ${organization.name} at ${brand}.`,
      'The page of the link says what you would join. Nothing happens before you accept there.',
    ],
    action: { label: 'See the invitation', ...link },
    facts: [
      ['Organization', organization.name],
      ['Role', role],
      ['Invited by', inviter],
    ],
    notes: ['The invitation ends after 14 days.', 'If you do not know these people, do nothing.'],
  }
}

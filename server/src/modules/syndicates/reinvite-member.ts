import { appendEvent, type Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type Inviting, invitationEvent, notInvited, partiesOf } from './invitation.ts'
import { repeatInvitation } from './invitation-store.ts'

/** Counts up the invitation that is there. By now the address may have an account that it had not. */
export async function reinviteMember(tx: Tx, input: Inviting, occasion: Occasion): Promise<void> {
  const parties = await partiesOf(tx, input)
  const repeated = await repeatInvitation(tx, {
    syndicateId: input.syndicateId,
    email: input.email,
    name: input.name ?? null,
    accountName: parties.account?.name ?? null,
    userId: parties.account?.id ?? null,
    permission: input.permission ?? null,
    invitedBy: input.invitedBy,
    occurredAt: occasion.occurredAt,
  })
  if (repeated === null) throw notInvited('email')
  const sent = {
    syndicateId: input.syndicateId,
    email: repeated.email,
    name: repeated.name,
    userId: repeated.user_id,
    occurredAt: repeated.last_invited_at,
  }
  await appendEvent(tx, invitationEvent('syndicate_member.reinvited', sent, parties), occasion)
}

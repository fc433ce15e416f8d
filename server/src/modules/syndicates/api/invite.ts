import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Inviting } from '../invitation.ts'
import { inviteMember, refuseMember } from '../invite-member.ts'
import { reinviteMember } from '../reinvite-member.ts'
import { invitationOf } from './member-page-store.ts'

/**
 * An address that was invited, joined and left is invited again under its old row, and that is what the event says. One
 * that has not answered yet is refused: it has a row in the directory, by which the invitation can be sent again.
 */
export async function invite(tx: Tx, inviting: Inviting, occasion: Occasion): Promise<Id<'membership'>> {
  const before = await invitationOf(tx, inviting.syndicateId, inviting.email)
  if (before !== null && !before.open) {
    await refuseMember(tx, inviting)
    await reinviteMember(tx, inviting, occasion)
    return before.id
  }
  await inviteMember(tx, inviting, occasion)
  const made = await invitationOf(tx, inviting.syndicateId, inviting.email)
  if (made === null) throw new Error('an invitation just made is not there')
  return made.id
}

import { validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { appendEvent, type Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type Inviting, invitationEvent, partiesOf } from './invitation.ts'
import { insertInvitation } from './invitation-store.ts'
import { membershipStatus } from './membership-store.ts'

/**
 * "Invitations create no membership; they are keyed by email." Where nobody said a name, the account's is kept: by what
 * the directory shows of an invitation it also finds and sorts it.
 */
export async function inviteMember(tx: Tx, input: Inviting, occasion: Occasion): Promise<void> {
  const parties = await partiesOf(tx, input)
  const userId = parties.account?.id ?? null
  if (await isMember(tx, input, userId)) throw alreadyMember()
  const invitation = {
    id: newId('membership'),
    syndicateId: input.syndicateId,
    email: input.email,
    name: input.name ?? parties.account?.name ?? null,
    userId,
    permission: input.permission ?? null,
    invitedBy: input.invitedBy,
    occurredAt: occasion.occurredAt,
  }
  if (!(await insertInvitation(tx, invitation))) throw alreadyInvited()
  await appendEvent(tx, invitationEvent('syndicate_member.invited', invitation, parties), occasion)
}

async function isMember(tx: Tx, { syndicateId }: Inviting, userId: Id<'user'> | null): Promise<boolean> {
  return userId !== null && (await membershipStatus(tx, syndicateId, userId)) === 'member'
}

export function alreadyMember() {
  const message = 'is the address of a member of the syndicate'
  return validationError([{ field: 'email', code: 'already_member', message }])
}

export function alreadyInvited() {
  const message = 'was invited before, and is to be invited again instead'
  return validationError([{ field: 'email', code: 'already_exists', message }])
}

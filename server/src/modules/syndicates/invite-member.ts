import { validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { appendEvent, type Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type Inviting, invitationEvent, partiesOf } from './invitation.ts'
import { insertInvitation } from './invitation-store.ts'
import { membershipStatus } from './membership-store.ts'

/** "Invitations create no membership; they are keyed by email." */
export async function inviteMember(tx: Tx, input: Inviting, occasion: Occasion): Promise<void> {
  const parties = await partiesOf(tx, input)
  const userId = parties.account?.id ?? null
  if (await isMember(tx, input, userId)) throw alreadyMember()
  const invitation = {
    id: newId('membership'),
    syndicateId: input.syndicateId,
    email: input.email,
    name: input.name ?? null,
    userId,
    permission: input.permission ?? null,
    invitedBy: input.invitedBy,
    occurredAt: occasion.occurredAt,
  }
  if (!(await insertInvitation(tx, invitation))) throw alreadyInvited()
  await appendEvent(tx, invitationEvent('syndicate_member.invited', invitation, parties), occasion)
}

/** For an address that was invited before: whoever joined on it may have left since. */
export async function refuseMember(tx: Tx, input: Inviting): Promise<void> {
  const { account } = await partiesOf(tx, input)
  if (await isMember(tx, input, account?.id ?? null)) throw alreadyMember()
}

async function isMember(tx: Tx, { syndicateId }: Inviting, userId: Id<'user'> | null): Promise<boolean> {
  return userId !== null && (await membershipStatus(tx, syndicateId, userId)) === 'member'
}

function alreadyMember() {
  const message = 'is the address of a member of the syndicate'
  return validationError([{ field: 'email', code: 'already_member', message }])
}

function alreadyInvited() {
  const message = 'was invited before, and is to be invited again instead'
  return validationError([{ field: 'email', code: 'already_exists', message }])
}

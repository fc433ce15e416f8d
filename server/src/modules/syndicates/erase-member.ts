import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { lockPerson } from './person.ts'
import { eraseDirectoryEntries, eraseInvitations, lockMemberships } from './store.ts'

/**
 * Takes out of the syndicates what says who a person was, and leaves the memberships and their states. Invitations
 * from before there was an account are known by the person's addresses alone. To be called before events are erased: it waits for every move under way, after which no event with the name comes.
 * Gives back the addresses they were invited under, by which events may know them too.
 */
export async function eraseMember(
  tx: Tx,
  userId: Id<'user'>,
  addresses: readonly string[],
): Promise<{ readonly invitedAs: readonly string[] }> {
  await lockPerson(tx, 'id', userId)
  const invitedAs = await lockMemberships(tx, userId)
  // Before the entries: the address somebody joined under leads to an invitation.
  await eraseInvitations(tx, userId, [...addresses, ...invitedAs])
  await eraseDirectoryEntries(tx, userId)
  return { invitedAs }
}

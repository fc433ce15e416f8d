import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { eraseDirectoryEntries, eraseInvitations, lockMemberships } from './erasure-store.ts'
import { lockPerson } from './person.ts'

/**
 * Takes out of the syndicates what says who a person was, and leaves the memberships and their states. To be called
 * while the person's row still has the address (invitations from before there was an account are known by nothing
 * else), and before events are erased: it waits for every move under way, after which no event with the name comes.
 * Gives back the addresses they were invited under, by which events may know them too.
 */
export async function eraseMember(tx: Tx, userId: Id<'user'>): Promise<{ readonly invitedAs: readonly string[] }> {
  await lockPerson(tx, 'id', userId)
  const invitedAs = await lockMemberships(tx, userId)
  // Before the entries: the address somebody joined under leads to an invitation.
  await eraseInvitations(tx, userId)
  await eraseDirectoryEntries(tx, userId)
  return { invitedAs }
}

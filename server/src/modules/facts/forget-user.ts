import type { Id } from '#kernel/ids.ts'
import { eraseActivity } from '#modules/activity/index.ts'
import type { Occasion } from '#modules/events/index.ts'
import { type OnRevoked, revokeConnectionsOfUser } from '#modules/installations/index.ts'
import { eraseIntents, expireOnRevoked } from '#modules/intents/index.ts'
import { deactivateInvestor } from '#modules/investments/index.ts'
import { eraseInvites } from '#modules/invites/index.ts'
import { addressesOf, lockUser } from '#modules/people/index.ts'
import { eraseClicks } from '#modules/referrals/index.ts'
import { eraseSessions } from '#modules/sessions/index.ts'
import { eraseMember } from '#modules/syndicates/index.ts'
import { cancelDeliveries } from '#modules/webhooks/index.ts'
import type { Tx } from '#system/postgres/database.ts'

/** `onRevoked`: callbacks that run when the person's connections are revoked. */
type Leaving = Occasion & { readonly onRevoked?: readonly OnRevoked[] }

/**
 * Erases a person from all records. Locks the person first, so that no new record about them appears meanwhile. Records
 * from before the account are found by address: by every address that the person has or had. Connected apps are
 * disconnected, so that no app acts for a deleted user.
 */
export async function forgetUser(tx: Tx, id: Id<'user'>, occasion: Leaving): Promise<void> {
  await lockUser(tx, 'id', id)
  await revokeConnectionsOfUser(tx, id, { onRevoked: [cancelDeliveries, expireOnRevoked], ...occasion })
  await eraseIntents(tx, id)
  await eraseActivity(tx, id)
  await eraseClicks(tx, id)
  const had = await addressesOf(tx, id)
  const { invitedAs } = await eraseMember(tx, id, had)
  const addresses = [...had, ...invitedAs]
  await eraseSessions(tx, id, addresses)
  await eraseInvites(tx, id, addresses)
  await deactivateInvestor(tx, { id, addresses }, occasion)
}

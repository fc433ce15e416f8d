import { eraseReasonsIn } from '#access/audit/index.ts'
import { type OnRevoked, revokeConnectionsOfUser } from '#access/installations/index.ts'
import { addressesOf, lockUser } from '#access/people/index.ts'
import type { Occasion } from '#events/index.ts'
import { eraseIntents, expireOnRevoked } from '#hosted/intents/index.ts'
import { eraseInvites } from '#hosted/invites/index.ts'
import { eraseSessions } from '#hosted/sessions/index.ts'
import { eraseRefused } from '#intake/refused/index.ts'
import type { Id } from '#kernel/ids.ts'
import { deactivateInvestor } from '#market/investments/index.ts'
import { eraseMember } from '#market/syndicates/index.ts'
import { eraseClicks } from '#referrals/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { eraseActivity } from '#views/activity/index.ts'
import { cancelDeliveries } from '#webhooks/index.ts'

/** `onRevoked` has the callbacks that run when the person's connections are revoked. */
type Leaving = Occasion & { readonly onRevoked?: readonly OnRevoked[] }

/**
 * Erases a person: the personal data in their row, their intents, activity, clicks and membership profiles, their addresses in
 * sessions and invite links, their identity in investment records and events, the reasons in audit entries about them, and
 * refused facts that name them. Investments, memberships and sums stay, without a name. The person is locked first, so that no
 * new record about them appears meanwhile. Records from before the person registered are found by every address that the person
 * has or had. Connected apps are disconnected, so that no app acts for an erased user.
 */
export async function forgetUser(tx: Tx, id: Id<'user'>, occasion: Leaving): Promise<void> {
  await lockUser(tx, 'id', id)
  await revokeConnectionsOfUser(tx, id, { onRevoked: [cancelDeliveries, expireOnRevoked], ...occasion })
  await eraseIntents(tx, id)
  await eraseActivity(tx, id)
  await eraseReasonsIn(tx, [id])
  await eraseClicks(tx, id)
  const had = await addressesOf(tx, id)
  const { invitedAs } = await eraseMember(tx, id, had)
  const addresses = [...had, ...invitedAs]
  await eraseSessions(tx, id, addresses)
  await eraseInvites(tx, id, addresses)
  await deactivateInvestor(tx, { id, addresses }, occasion)
  // Last, because requests that record a refused fact wait from here to the commit.
  await eraseRefused(tx, [id, ...addresses])
}

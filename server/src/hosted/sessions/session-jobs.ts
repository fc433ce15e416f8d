import { lockUser } from '#access/people/index.ts'
import type { Occasion } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { expireInvestmentSession } from './investment-session.ts'
import { expireJoinSession } from './join-session.ts'
import { lockJoinSessionsOf, takeDueJoinSessions } from './join-session-store.ts'
import { eraseAddresses, takeDueInvestmentSessions } from './store.ts'

/**
 * Expires at most `limit` due sessions and returns how many. occurred_at is each session's expires_at, not the time of the
 * worker's run.
 */
export async function expireDueSessions(tx: Tx, limit: number): Promise<number> {
  const joining = await takeDueJoinSessions(tx, limit)
  for (const { id, expires_at } of joining) await expireJoinSession(tx, { id }, byTheClock(expires_at))
  const investing = await takeDueInvestmentSessions(tx, limit - joining.length)
  for (const { id, expires_at } of investing) await expireInvestmentSession(tx, { id }, byTheClock(expires_at))
  return joining.length + investing.length
}

function byTheClock(occurredAt: Occasion['occurredAt']): Occasion {
  return { cause: 'clock', occurredAt, caused: [] }
}

/**
 * Erases a person's addresses from sessions; a session for an address is linked to the account instead. Join sessions hold no
 * address, but moves in progress are waited for. Call it before the events are erased.
 */
export async function eraseSessions(tx: Tx, userId: Id<'user'>, addresses: readonly string[]): Promise<void> {
  await lockUser(tx, 'id', userId)
  await lockJoinSessionsOf(tx, userId)
  await eraseAddresses(tx, userId, addresses)
}

import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { lockUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { expireInvestmentSession } from './investment-session.ts'
import { expireJoinSession } from './join-session.ts'
import { lockJoinSessionsOf, takeDueJoinSessions } from './join-session-store.ts'
import { eraseAddresses, takeDueInvestmentSessions } from './store.ts'

/**
 * Expires what is due by the world's clock, one small batch: `limit` sessions at most, and how many it was. When it
 * happened is when each was to expire, not when a worker came by.
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
 * Takes a person's address out of the sessions; what was sent to an address without an account stays tied to the
 * account instead. Join sessions keep none, but moves of theirs that are under way are waited for. To be called before
 * events are erased.
 */
export async function eraseSessions(tx: Tx, userId: Id<'user'>, addresses: readonly string[]): Promise<void> {
  await lockUser(tx, 'id', userId)
  await lockJoinSessionsOf(tx, userId)
  await eraseAddresses(tx, userId, addresses)
}

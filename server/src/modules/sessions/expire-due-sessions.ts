import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { expireInvestmentSession } from './end-investment-session.ts'
import { expireJoinSession } from './end-join-session.ts'
import { takeDueJoinSessions } from './join-session-store.ts'
import { takeDueInvestmentSessions } from './store.ts'

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

import { appendEvent, type EventData, type Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { appsActiveIn } from './calendar-store.ts'
import type { Week } from './week.ts'

/**
 * "Every Monday (UTC), once last week's cohorts are published, for every app with a referral code active that week; sent
 * whether or not anything converted." In the transaction that releases the week, and so once.
 */
export async function announceWeek(tx: Tx, due: Week): Promise<void> {
  const { week, ends_at: occurredAt } = due
  const data: EventData<'referral_cohorts.published'> = { week, published_at: occurredAt }
  const occasion: Occasion = { cause: 'clock', occurredAt, caused: [] }
  for (const appId of await appsActiveIn(tx, due)) {
    await appendEvent(tx, { name: 'referral_cohorts.published', subject: { appId }, occurredAt, data }, occasion)
  }
}

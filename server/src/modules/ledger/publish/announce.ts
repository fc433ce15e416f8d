import { appendEvents, type EventData, type NewEvent, type Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { changedFields } from '../derive/render.ts'
import type { Head } from './head.ts'
import { companyIsConcerned } from './next-head.ts'

export type Published = { readonly before: Head | null; readonly after: Head }

/** Who says so in an event that no fact caused directly. */
const LEDGER = 'ledger'

/** An investment.changed for each, in the transaction that publishes: whoever hears of it can already read it. */
export async function announce(tx: Tx, events: readonly NewEvent[], occurredAt: Occasion['occurredAt']): Promise<void> {
  await appendEvents(tx, events, { cause: LEDGER, occurredAt, caused: [] })
}

/**
 * "It is thin and carries routing only." The company is among those it is about only when what the company sees has
 * changed: of what is hidden from it, it hears nothing.
 */
export function eventOf({ before, after }: Published): NewEvent {
  const { investment_id: id, company_id: company, investor_id: userId, offering_id: offeringId } = after
  const data: EventData<'investment.changed'> = {
    id,
    visible: after.visible,
    reason: after.reason,
    company,
    observed_at: after.observed_at,
    first: before === null,
    fields: changedFields(before, after),
  }
  const subject = { userId, offeringId, investmentId: id, ...(companyIsConcerned(after) ? { companyId: company } : {}) }
  return { name: 'investment.changed', subject, occurredAt: after.observed_at, data }
}

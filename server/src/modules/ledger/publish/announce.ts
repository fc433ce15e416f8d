import { appendEvents, type EventData, type NewEvent, type Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { InvestmentRecord } from '../derive/record.ts'
import { changedFields } from '../derive/render.ts'
import type { Head } from './head.ts'
import { companyIsConcerned } from './next-head.ts'

export type Published = { readonly before: Head | null; readonly after: Head; readonly record: InvestmentRecord }

/** Who says so in an event that no fact caused directly. */
const LEDGER = 'ledger'

/** An investment.changed for each, in the transaction that publishes: whoever hears of it can already read it. */
export async function announce(tx: Tx, events: readonly NewEvent[], occurredAt: Occasion['occurredAt']): Promise<void> {
  await appendEvents(tx, events, { cause: LEDGER, occurredAt, caused: [] })
}

/**
 * "It is thin and carries routing only." What an audience is told is told against what that audience saw last. Of what is
 * hidden from it the company hears nothing; what is shown to it after that is all new to it, though not to the investor,
 * and each gets an event of its own. Otherwise both have seen the same, and one is for both.
 */
export function eventsOf({ before, after, record }: Published): NewEvent[] {
  const toInvestor = { first: before === null, fields: changedFields(before, record) }
  const { investor_id: userId, company_id: companyId } = after
  if (!companyIsConcerned(after)) return [eventOf(after, { userId }, toInvestor)]
  if (before === null || before.visible) return [eventOf(after, { userId, companyId }, toInvestor)]
  const toCompany = { first: before.company === null, fields: changedFields(null, record) }
  return [eventOf(after, { userId }, toInvestor), eventOf(after, { companyId }, toCompany)]
}

type Told = Pick<EventData<'investment.changed'>, 'first' | 'fields'>

function eventOf(after: Head, to: Pick<NewEvent['subject'], 'userId' | 'companyId'>, told: Told): NewEvent {
  const { investment_id: id, company_id: company, offering_id: offeringId } = after
  const data: EventData<'investment.changed'> = {
    id,
    visible: after.visible,
    reason: after.reason,
    company,
    observed_at: after.observed_at,
    ...told,
  }
  return {
    name: 'investment.changed',
    subject: { ...to, offeringId, investmentId: id },
    occurredAt: after.observed_at,
    data,
  }
}

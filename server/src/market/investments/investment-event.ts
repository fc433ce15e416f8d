import { ERASED_PERSON, type EventNameOf, type InvestorTotals, type NewEvent } from '#events/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { type Cents, wholeUnits } from '#kernel/money.ts'
import type { InvestmentState } from './investment-states.ts'
import type { Person, Totals } from './store.ts'

export type EventSubject = {
  readonly id: Id<'investment'>
  readonly company: Id<'company'>
  readonly offering: Id<'offering'>
  readonly investor: Id<'user'>
}

/** Fields that only some of the events have. */
type Extra = {
  readonly canceled_at?: WorldTime
  readonly converted_to?: Id<'investment'> | null
  readonly previous_amounts?: { readonly committed: number }
}

export type EventParts = {
  readonly name: EventNameOf<'investment'>
  readonly investment: EventSubject & { readonly status: InvestmentState; readonly amount_cents: Cents | null }
  readonly totals: Totals
  readonly person: Person
  readonly extra?: Extra
}

/**
 * Returns an event with "every investment event's data", amounts in whole units. The investor's name and email are in
 * `identity`.
 */
export function investmentEvent({ name, investment, totals, person, extra = {} }: EventParts): NewEvent {
  const { id, status, offering, company, investor, amount_cents } = investment
  const known = person.name !== null && person.email !== null
  return {
    name,
    subject: { companyId: company, userId: investor, offeringId: offering, investmentId: id },
    occurredAt: totals.occurred_at,
    data: {
      id,
      status,
      offering,
      amounts: { committed: amount_cents === null ? null : wholeUnits(amount_cents) },
      investor: { id: investor, name: ERASED_PERSON.name },
      investor_totals: totalsShown(totals),
      ...extra,
    },
    ...(known ? { identity: { investor: { name: person.name, email: person.email } } } : {}),
  }
}

function totalsShown({ active_count, total_cents, latest_applied_at }: Totals): InvestorTotals {
  return {
    active_investment_count: active_count,
    total_committed: wholeUnits(total_cents),
    latest_applied_at,
    investor_status: active_count === 0 ? 'none_active' : 'active',
  }
}

import { appendEvents, type EventData, type NewEvent } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { isVisible } from '../derive/visible.ts'
import type { Head } from './head.ts'
import { companyIsConcerned, type Difference, type Told, told } from './next-head.ts'

export type Published = Difference & { readonly after: Head }

/**
 * An investment.changed for each, in the transaction that publishes: whoever hears of it can already read it. No fact
 * caused them directly, and nobody asks which events the ledger caused: they have no place in the index of causes.
 */
export async function announce(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  await appendEvents(tx, events, { cause: null, caused: [] })
}

/**
 * "It is thin and carries routing only." What an audience is told is told against what that audience saw last. Where
 * both have seen the same, one event is for both; otherwise each gets one of its own, which the other never hears. Of what
 * is hidden from it the company hears nothing. `fields` is empty exactly where only the identity differs: then the event goes
 * to nobody who may not see it (`webhooks/projection/entitlement.ts`).
 */
export function eventsOf(published: Published): NewEvent[] {
  const { after } = published
  const { investor_id: userId, company_id: companyId } = after
  const toInvestor = published.told
  if (!companyIsConcerned(after)) return [eventOf(after, { userId }, toInvestor)]
  const toCompany = toldToCompany(published, toInvestor)
  if (toCompany === toInvestor) return [eventOf(after, { userId, companyId }, toInvestor)]
  return [eventOf(after, { userId }, toInvestor), eventOf(after, { companyId }, toCompany)]
}

function toldToCompany(published: Published, toInvestor: Told): Told {
  const { before, after, record, text } = published
  if (before === null) return toInvestor
  // It has dropped its copy, or never had one: all of it is new.
  if (!before.visible) return { ...told(null, record, text), first: before.company === null }
  if (after.visible || isGoneByStatus(after) || toInvestor.fields.length === 1) return toInvestor
  // Of what was hidden it learns that it is gone, and not what else has changed.
  return { first: false, fields: ['visible'], ofIdentity: new Set() }
}

/** Canceled and converted ones are gone for the company too, and it knows why. */
function isGoneByStatus({ status }: Head): boolean {
  return !isVisible({ hidden: false, status })
}

function eventOf(after: Head, to: Pick<NewEvent['subject'], 'userId' | 'companyId'>, what: Told): NewEvent {
  const { investment_id: id, company_id: company, offering_id: offeringId } = after
  const { first, fields, ofIdentity } = what
  const data: EventData<'investment.changed'> = {
    id,
    visible: after.visible,
    reason: after.reason,
    company,
    observed_at: after.observed_at,
    first,
    fields: fields.filter((name) => !ofIdentity.has(name)),
  }
  return {
    name: 'investment.changed',
    subject: { ...to, offeringId, investmentId: id },
    occurredAt: after.observed_at,
    data,
    ...(ofIdentity.size === 0 ? {} : { identity: { fields: [...ofIdentity] } }),
  }
}

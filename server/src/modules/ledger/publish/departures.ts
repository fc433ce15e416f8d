import type { Id } from '#kernel/ids.ts'
import type { Head } from './head.ts'

type Step = { readonly before: Head | null; readonly after: Head }

/** A record that is elsewhere than when one of its two sides last saw it. */
export type Departure = Pick<
  Head,
  'offering_id' | 'investment_id' | 'position' | 'company_id' | 'investor_id' | 'reason' | 'observed_at'
> & {
  /** The investor's side; otherwise the company's. */
  readonly own: boolean
  /** Where it is now, and is no longer gone from. */
  readonly to: Id<'offering'>
}

/**
 * "With `offering_id`, a record that moved to another offering is sent once as a tombstone": to whoever saw it there. What
 * the company saw hidden before it moved was told as gone then, so it left with the hiding and is not told again.
 */
export function departuresOf({ before, after }: Step): Departure[] {
  if (before === null) return []
  const { investment_id, company_id, investor_id, position, reason, observed_at } = after
  const what = { investment_id, company_id, investor_id, position, reason, observed_at }
  const from = { own: before.offering_id, company: before.company?.company_offering_id }
  const to = { own: after.offering_id, company: after.company?.company_offering_id }
  const own = from.own === to.own ? [] : [{ ...what, own: true, offering_id: from.own, to: to.own }]
  if (from.company === undefined || to.company === undefined || from.company === to.company) return own
  const told = before.visible ? {} : hidingOf(before)
  return [...own, { ...what, ...told, own: false, offering_id: from.company, to: to.company }]
}

function hidingOf({ company }: Head): Partial<Departure> {
  if (company === null) return {}
  const { company_position: position, company_reason: reason, company_observed_at: observed_at } = company
  return { position, reason, observed_at }
}

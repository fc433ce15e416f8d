import type { WorldTime } from '#kernel/clock.ts'
import type { InvestmentRecord } from '../derive/record.ts'
import type { OpenText } from '../derive/render.ts'
import type { CompanySide, Head } from './head.ts'
import { type Cause, reasonOf } from './reason.ts'

/** A record that differs from what was published of it. */
export type Difference = {
  readonly record: InvestmentRecord
  readonly text: OpenText
  readonly before: Head | null
}

export type Moment = { readonly position: number; readonly observedAt: WorldTime; readonly cause: Cause }

/** The state to publish for a record that differs from what was published of it, at its place in the ledger. */
export function nextHead({ record, text, before }: Difference, { position, observedAt, cause }: Moment): Head {
  const { open, visible } = record
  const reason = reasonOf(before, open.investor, cause)
  const company = { company_position: position, company_reason: reason, company_observed_at: observedAt }
  const shown = { ...company, company_offering_id: visible || before === null ? open.offering : before.offering_id }
  return {
    investment_id: record.id,
    company_id: open.company,
    offering_id: open.offering,
    investor_id: open.investor.id,
    position,
    status: open.status,
    visible,
    deactivated: open.investor.deactivated,
    reason,
    observed_at: observedAt,
    committed_cents: open.amounts.committed_cents,
    raised_cents: open.amounts.raised_cents,
    body: text.body,
    identity: text.identity,
    company: companySide({ visible, shown, before }),
  }
}

type Sides = { readonly visible: boolean; readonly shown: CompanySide; readonly before: Head | null }

/**
 * What the company sees changes with the record while it sees it, and once more when it ceases to. After that its
 * position stands still, whatever happens to the record; and it is never told of the end of what it never saw.
 */
function companySide({ visible, shown, before }: Sides): CompanySide | null {
  return visible || before?.visible ? shown : (before?.company ?? null)
}

export function companyIsConcerned({ position, company }: Head): boolean {
  return company?.company_position === position
}

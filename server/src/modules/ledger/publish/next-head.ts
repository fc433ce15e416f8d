import type { WorldTime } from '#kernel/clock.ts'
import type { InvestmentRecord } from '../derive/record.ts'
import { changedFields, type OpenText } from '../derive/render.ts'
import type { CompanySide, Head } from './head.ts'
import { type Cause, type Reason, reasonOf } from './reason.ts'

/** A record that differs from what was published of it. */
export type Difference = {
  readonly record: InvestmentRecord
  readonly text: OpenText
  readonly before: Head | null
  /** What differs from it. */
  readonly told: Told
}

/** What an `investment.changed` says of a difference. */
export type Told = {
  readonly first: boolean
  readonly fields: readonly string[]
  /** Those of them that differ only to who may see the investor's identity. */
  readonly ofIdentity: ReadonlySet<string>
}

/** Against what was there before, or as all new. */
export function told(before: Head | null, record: InvestmentRecord, text: OpenText): Told {
  const fields = changedFields(before, record)
  return { first: before === null, fields, ofIdentity: identityFields(fields, before, text) }
}

export type Moment = { readonly position: number; readonly observedAt: WorldTime; readonly cause: Cause }

/** The state to publish for a record that differs from what was published of it, at its place in the ledger. */
export function nextHead(difference: Difference, { position, observedAt, cause }: Moment): Head {
  const { record, text, before } = difference
  const { open, visible } = record
  const reason = reasonOf(before, open.investor, cause)
  const company = { company_position: position, company_reason: reason, company_observed_at: observedAt }
  const earlier = isOfIdentityAlone(difference, reason) ? before?.company?.open : undefined
  const shown = {
    ...company,
    company_offering_id: visible || before === null ? open.offering : before.offering_id,
    open: earlier ?? { position, reason, observed_at: observedAt },
  }
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

/**
 * "A change that only identity readers can see": the company saw the record before and sees it now, and all that differs is
 * who the investor is. A deactivation is never one of these: everybody must delete what they hold of the person.
 */
function isOfIdentityAlone({ before, record, told }: Difference, reason: Reason): boolean {
  if (before === null || !before.visible || !record.visible || reason === 'investor_deactivated') return false
  return told.fields.every((name) => told.ofIdentity.has(name))
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

/** Fields that only those read who may see who the investor is. */
const OF_IDENTITY: ReadonlySet<string> = new Set(['external_username', 'message'])

/** Which of the fields that differ differ to nobody else: "without the scope … identity fields omitted". */
export function identityFields(
  changed: readonly string[],
  before: OpenText | null,
  after: OpenText,
): ReadonlySet<string> {
  const onlyIdentity = before !== null && openInvestor(before) === openInvestor(after)
  return new Set(changed.filter((name) => OF_IDENTITY.has(name) || (onlyIdentity && name === 'investor')))
}

/** What everybody reads of the investor: the end of the body. No value in it can hold these words, which have quotes. */
function openInvestor({ body }: OpenText): string {
  return body.slice(body.lastIndexOf('"investor":{'))
}

import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { InvestmentState } from '#market/investments/index.ts'
import { changedFields, type InvestmentRecord, type OpenText } from '../derive/record.ts'

/** What the company has of a record: the state it was last shown, or that it is gone. */
export type CompanySide = {
  readonly company_position: number
  /** Where it saw it, or where it was when it ceased to. */
  readonly company_offering_id: Id<'offering'>
  readonly company_reason: Reason
  readonly company_observed_at: WorldTime
  /** The last change that is also visible without the investor's identity. */
  readonly open: OpenSide
}

export type OpenSide = { readonly position: number; readonly reason: Reason; readonly observed_at: WorldTime }

/**
 * The last published state of an investment, named as the columns. The company's side is null until it saw something.
 */
export type Head = OpenText & {
  readonly investment_id: Id<'investment'>
  readonly company_id: Id<'company'>
  readonly offering_id: Id<'offering'>
  readonly investor_id: Id<'user'>
  readonly position: number
  readonly status: InvestmentState
  readonly visible: boolean
  readonly deactivated: boolean
  readonly reason: Reason
  readonly observed_at: WorldTime
  readonly committed_cents: number
  readonly raised_cents: number
  readonly company: CompanySide | null
}

/** A record that differs from what was published of it. */
export type Difference = {
  readonly record: InvestmentRecord
  readonly text: OpenText
  readonly before: Head | null
  /** What differs from it. */
  readonly changed: RecordChange
}

/** What an `investment.changed` says of a difference. */
export type RecordChange = {
  readonly first: boolean
  readonly fields: readonly string[]
  /** The changed fields that only readers with identity see. */
  readonly ofIdentity: ReadonlySet<string>
}

/** Against what was there before, or as all new. */
export function changeOf(before: Head | null, record: InvestmentRecord, text: OpenText): RecordChange {
  const fields = changedFields(before, record)
  return { first: before === null, fields, ofIdentity: identityFields(fields, before, text) }
}

type Moment = { readonly position: number; readonly observedAt: WorldTime; readonly cause: Cause }

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
 * who the investor is. A deactivation is never one of these: every reader must delete the person's data.
 */
function isOfIdentityAlone({ before, record, changed }: Difference, reason: Reason): boolean {
  if (before === null || !before.visible || !record.visible || reason === 'investor_deactivated') return false
  return changed.fields.every((name) => changed.ofIdentity.has(name))
}

type Sides = { readonly visible: boolean; readonly shown: CompanySide; readonly before: Head | null }

/**
 * What the company sees changes with the record while it sees it, and once more when it ceases to. After that its
 * position does not change, whatever happens to the record; and it never receives the end of a record it never saw.
 */
function companySide({ visible, shown, before }: Sides): CompanySide | null {
  return visible || before?.visible ? shown : (before?.company ?? null)
}

export function companyIsConcerned({ position, company }: Head): boolean {
  return company?.company_position === position
}

/** Fields that only those read who may see who the investor is. */
const OF_IDENTITY: ReadonlySet<string> = new Set(['external_username', 'message'])

/** The changed fields that only readers with the identity scope see: "without the scope … identity fields omitted". */
export function identityFields(
  changed: readonly string[],
  before: OpenText | null,
  after: OpenText,
): ReadonlySet<string> {
  const onlyIdentity = before !== null && openInvestor(before) === openInvestor(after)
  return new Set(changed.filter((name) => OF_IDENTITY.has(name) || (onlyIdentity && name === 'investor')))
}

/**
 * The end of the body: the part about the investor that every reader gets. No value can contain this text, because it has quotes.
 */
function openInvestor({ body }: OpenText): string {
  return body.slice(body.lastIndexOf('"investor":{'))
}

/** "changed; recomputed (derivation changed, inputs did not …); investor_deactivated (investor identity redacted)". */
type Reason = 'changed' | 'recomputed' | 'investor_deactivated'

/** Why a record was derived again: a fact arrived, or the derivation changed. */
export type Cause = 'facts' | 'derivation'

type Deactivation = { readonly deactivated: boolean }

/**
 * "Marks the first republish after deactivation": decided by the two states and not by the to-do list, where another change of
 * the same investor may come first.
 */
function reasonOf(before: Deactivation | null, after: Deactivation, cause: Cause): Reason {
  if (before !== null && !before.deactivated && after.deactivated) return 'investor_deactivated'
  return cause === 'derivation' ? 'recomputed' : 'changed'
}

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
 * "With `offering_id`, a record that moved to another offering is sent once as a tombstone": to readers who saw it there. What
 * the company saw hidden before it moved was reported as gone then, so it left with the hiding and is not reported again.
 */
export function departuresOf({ before, after }: Step): Departure[] {
  if (before === null) return []
  const { investment_id, company_id, investor_id, position, reason, observed_at } = after
  const what = { investment_id, company_id, investor_id, position, reason, observed_at }
  const from = { own: before.offering_id, company: before.company?.company_offering_id }
  const to = { own: after.offering_id, company: after.company?.company_offering_id }
  const own = from.own === to.own ? [] : [{ ...what, own: true, offering_id: from.own, to: to.own }]
  if (from.company === undefined || to.company === undefined || from.company === to.company) return own
  const hiding = before.visible ? {} : hidingOf(before)
  return [...own, { ...what, ...hiding, own: false, offering_id: from.company, to: to.company }]
}

function hidingOf({ company }: Head): Partial<Departure> {
  if (company === null) return {}
  const { company_position: position, company_reason: reason, company_observed_at: observed_at } = company
  return { position, reason, observed_at }
}

export type StatsDelta = {
  readonly offering: Id<'offering'>
  readonly status: InvestmentState
  readonly count: number
  readonly committed: bigint
  readonly raised: bigint
}

type Counted = Pick<Head, 'visible' | 'offering_id' | 'status' | 'committed_cents' | 'raised_cents'>
type StatsStep = { readonly before: Counted | null; readonly after: Counted }

/**
 * "Count + committed amount by status over founder-visible published records": what publishing these heads adds to each
 * offering and status, and takes away. Sums of many amounts pass what a number holds.
 */
export class StatsDeltas {
  readonly #sums = new Map<string, StatsDelta>()

  add(steps: readonly StatsStep[]): void {
    for (const { before, after } of steps) {
      if (before?.visible) this.#count(before, -1)
      if (after.visible) this.#count(after, 1)
    }
  }

  /** Where anything is left to add. */
  sums(): StatsDelta[] {
    return [...this.#sums.values()].filter(
      ({ count, committed, raised }) => count !== 0 || committed !== 0n || raised !== 0n,
    )
  }

  #count(head: Counted, sign: 1 | -1): void {
    const { offering_id: offering, status } = head
    const key = `${offering} ${status}`
    const sum = this.#sums.get(key) ?? { offering, status, count: 0, committed: 0n, raised: 0n }
    this.#sums.set(key, {
      ...sum,
      count: sum.count + sign,
      committed: sum.committed + BigInt(sign * head.committed_cents),
      raised: sum.raised + BigInt(sign * head.raised_cents),
    })
  }
}

import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { InvestmentState } from '#market/investments/index.ts'
import { changedFields, type InvestmentRecord, type OpenText } from '../derive/record.ts'

/**
 * A company's view of a record: the position and time of the last change that was published to the company. The last
 * change may be that the company no longer sees the record.
 */
export type CompanySide = {
  readonly company_position: number
  /** The offering in which the company sees the record, or saw it last. */
  readonly company_offering_id: Id<'offering'>
  readonly company_reason: Reason
  readonly company_observed_at: WorldTime
  /** The last change that is also visible without the investor's identity. */
  readonly open: OpenSide
}

export type OpenSide = { readonly position: number; readonly reason: Reason; readonly observed_at: WorldTime }

/**
 * The last published state of an investment; the fields are named like the columns. The company's side is null until the
 * company has seen the record.
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

/** A record that differs from its published state. */
export type Difference = {
  readonly record: InvestmentRecord
  readonly text: OpenText
  readonly before: Head | null
  readonly changed: RecordChange
}

/** The content of an `investment.changed` about a difference. */
export type RecordChange = {
  readonly first: boolean
  readonly fields: readonly string[]
  /** The changed identity fields. */
  readonly ofIdentity: ReadonlySet<string>
}

/** Compares a record with its published state. Without a published state every field is new. */
export function changeOf(before: Head | null, record: InvestmentRecord, text: OpenText): RecordChange {
  const fields = changedFields(before, record)
  return { first: before === null, fields, ofIdentity: identityFields(fields, before, text) }
}

type Moment = { readonly position: number; readonly observedAt: WorldTime; readonly cause: Cause }

/** The state to publish for a record that changed, at its position in the ledger. */
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
 * "A change that only identity readers can see": the company saw the record before and sees it now, and only the
 * investor's identity differs. A deactivation is never such a change: every reader must delete the person's data.
 */
function isOfIdentityAlone({ before, record, changed }: Difference, reason: Reason): boolean {
  if (before === null || !before.visible || !record.visible || reason === 'investor_deactivated') return false
  return changed.fields.every((name) => changed.ofIdentity.has(name))
}

type Sides = { readonly visible: boolean; readonly shown: CompanySide; readonly before: Head | null }

/**
 * While the company sees a record, the company's side changes with the record. The side also changes when the company
 * stops seeing the record, and then stays the same until the company sees the record again. A company that never saw a
 * record gets no tombstone for it.
 */
function companySide({ visible, shown, before }: Sides): CompanySide | null {
  return visible || before?.visible ? shown : (before?.company ?? null)
}

export function companyIsConcerned({ position, company }: Head): boolean {
  return company?.company_position === position
}

/** The identity fields outside `investor`. */
const OF_IDENTITY: ReadonlySet<string> = new Set(['external_username', 'message'])

/** The changed identity fields: "without the scope … identity fields omitted". */
export function identityFields(
  changed: readonly string[],
  before: OpenText | null,
  after: OpenText,
): ReadonlySet<string> {
  const onlyIdentity = before !== null && openInvestor(before) === openInvestor(after)
  return new Set(changed.filter((name) => OF_IDENTITY.has(name) || (onlyIdentity && name === 'investor')))
}

/**
 * The end of the body: the part of the investor that every reader sees. No value can contain the text that is searched
 * for, because JSON escapes the quotes in values.
 */
function openInvestor({ body }: OpenText): string {
  return body.slice(body.lastIndexOf('"investor":{'))
}

/** "changed; recomputed (derivation changed, inputs did not …); investor_deactivated (investor identity redacted)". */
type Reason = 'changed' | 'recomputed' | 'investor_deactivated'

/** Why a record was derived again: a fact came in, or the derivation changed. */
export type Cause = 'facts' | 'derivation'

type Deactivation = { readonly deactivated: boolean }

/**
 * `investor_deactivated`: "Marks the first republish after deactivation." The published state and the new state decide
 * the reason. The change queue cannot decide it, because an earlier row of the queue for the same investor may already
 * publish the deactivation.
 */
function reasonOf(before: Deactivation | null, after: Deactivation, cause: Cause): Reason {
  if (before !== null && !before.deactivated && after.deactivated) return 'investor_deactivated'
  return cause === 'derivation' ? 'recomputed' : 'changed'
}

type Step = { readonly before: Head | null; readonly after: Head }

/** A record that has left the offering in which the company or the investor last saw it. */
export type Departure = Pick<
  Head,
  'offering_id' | 'investment_id' | 'position' | 'company_id' | 'investor_id' | 'reason' | 'observed_at'
> & {
  /** True for the investor's side, false for the company's. */
  readonly own: boolean
  /** The offering where the record is now. An earlier departure from that offering is deleted. */
  readonly to: Id<'offering'>
}

/**
 * "With `offering_id`, a record that moved to another offering is sent once as a tombstone": to readers who saw the
 * record in the old offering. If the record was hidden from the company before it moved, the company got a tombstone
 * when the record was hidden, and gets no second tombstone.
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
 * "Count + committed amount by status over founder-visible published records": the numbers by which publishing these
 * heads changes the figures of each offering and status. BigInt, because sums can exceed a safe integer.
 */
export class StatsDeltas {
  readonly #sums = new Map<string, StatsDelta>()

  add(steps: readonly StatsStep[]): void {
    for (const { before, after } of steps) {
      if (before?.visible) this.#count(before, -1)
      if (after.visible) this.#count(after, 1)
    }
  }

  /** The sums that are not zero. */
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

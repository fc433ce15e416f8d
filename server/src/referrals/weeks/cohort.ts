import type { Id } from '#kernel/ids.ts'
import type { InvestmentState } from '#market/investments/index.ts'
import { type AmountTier, amountTier, type TimeToInvest } from '../credit/tiers.ts'
import {
  type GroupRanges,
  type Publishable,
  passedOver,
  publishableRanges,
  type Range,
  type RangeExclusion,
} from '../privacy/ranges.ts'
import { type OpaqueTokens, opaqueTokens, type TokenKey } from '../tokens/token-keys.ts'
import type { Credited } from './changes-store.ts'

/** The ranges of a week for one code and one company. */
export type Cohort = {
  /** The range fields of a company in the response, as JSON without the braces; null without ranges. */
  readonly ranges: string | null
  /** How many people the ranges add to the counts of the code, as a range. */
  readonly counted: Range | null
  /** Whether the ranges include new investments, and whether they include changed ones. */
  readonly publishes: { readonly credited: boolean; readonly corrected: boolean }
}

/** `k`: ranges show only groups of at least this many people. `since`: the first week that the ranges describe. */
export type Around = { readonly k: number; readonly since: string }

/** `all`: the investments to publish for one code and one company. */
export function cohortOf(
  all: readonly Publishable[],
  { k, since }: Around,
  { publishable }: Pick<ReleaseRules, 'publishable'>,
): Cohort {
  const { group, corrections } = publishable(all, k)
  return {
    ranges: group === null && corrections === null ? null : rangesText({ since, credited: group, corrections }),
    counted: group?.investors ?? null,
    publishes: { credited: group !== null, corrected: corrections !== null },
  }
}

type Ranges = {
  readonly since: string
  readonly credited: GroupRanges | null
  readonly corrections: GroupRanges | null
}

function rangesText(ranges: Ranges): string {
  return JSON.stringify(ranges).slice(1, -1)
}

/**
 * The rules that decide what a week publishes. The proof in test/prove/referrals replaces a rule by a wrong one, and must then
 * find data about a single person.
 */
export type ReleaseRules = {
  readonly publishable: (...published: Parameters<typeof publishableRanges>) => ReturnType<typeof publishableRanges>
  readonly passes: typeof passedOver
  readonly row: typeof cohortRow
}

export const RELEASE_RULES: ReleaseRules = { publishable: publishableRanges, passes: passedOver, row: cohortRow }

/** "Opaque investment token, opaque investor token, week, amount_tier, status, time_to_invest." */
type AnonymizedRow = OpaqueTokens & {
  readonly week: string
  readonly amount_tier: AmountTier
  readonly status: InvestmentState
  readonly time_to_invest: TimeToInvest
}

/**
 * A row of a week. Rows are read in the order of their tokens, because the order of crediting would show when a person
 * invested.
 */
export type CohortRow = {
  readonly code: Id<'referralCode'>
  readonly company: Id<'company'>
  readonly investment: Id<'investment'>
  readonly corrected: boolean
  readonly row: AnonymizedRow
}

/**
 * The row of a credited investment in a week: new if it was credited in that week, a correction if it differs from the last
 * published row or was reported too late for its own week. Null if the last published row is still right, or if the investment
 * is hidden from the company: "all data returned is bounded by what the installing party could see".
 */
export function cohortRow(credited: Current, week: string, key: TokenKey): CohortRow | null {
  const { code, company, investment, seen, status, tier, hidden } = credited
  if (hidden || (seen !== null && seen.status === status && seen.tier === tier)) return null
  const corrected = seen !== null || credited.week !== week
  return { code, company, investment, corrected, row: rowOf(credited, key) }
}

function rowOf({ investment, investor, week, tier, status, time }: Current, key: TokenKey): AnonymizedRow {
  return {
    ...opaqueTokens(key, { investment, investor }),
    ...{ week, amount_tier: tier, status, time_to_invest: time },
  }
}

/** A credited investment with its amount tier, and whether the ranges exclude it. */
export type Current = Credited & { readonly tier: AmountTier; readonly passedOver: boolean }

export function currentOf(credited: Credited, passes: (standing: RangeExclusion) => boolean): Current {
  return { ...credited, tier: amountTier(credited.cents), passedOver: passes(credited) }
}

import type { Static } from 'typebox'
import { absoluteUrl } from '#http/response-bodies.ts'
import { parseCents } from '#kernel/money.ts'
import type { CompanyRow, ReportedRow, RoundRow } from './company-store.ts'
import { securityOf } from './offering-record.ts'
import type { OneCompany } from './schemas.ts'

type CompanyRecord = Static<typeof OneCompany>['data']
type Attributes = CompanyRecord['attributes']

export type CompanyView = {
  readonly company: CompanyRow
  readonly rounds: readonly RoundRow[]
  readonly reported: readonly ReportedRow[]
  /** The open rounds of one raise, with their number of investors. */
  readonly raise: (CurrentRaise & { readonly investors: number }) | null
}

/** The record of a company for a viewer who sees these rounds. */
export function companyRecord({ company, rounds, reported, raise }: CompanyView, origin: string): CompanyRecord {
  const { name, tagline, city, state, country, promotion_opt_in } = company
  return {
    id: company.id,
    type: 'company',
    attributes: {
      name,
      tagline,
      url: absoluteUrl(origin, company.page_url),
      logo_url: absoluteUrl(origin, company.logo_url),
      card_image_url: absoluteUrl(origin, company.card_image_url),
      location: { city, state, country },
      promotion_opt_in,
      raising: raise !== null,
      current_raise: raise && raiseRecord(raise),
      past_rounds: [...completed(rounds).map(pastRound), ...reported.map(reportedRound)],
      rounds: rounds.map(roundRecord),
      totals: totalsOf(rounds, reported, raise),
    },
  }
}

/** "Collects non-binding reservations, not investments": a round that tested the waters has raised no money. */
const raising = (rounds: readonly RoundRow[]) => rounds.filter(({ testing_the_waters }) => !testing_the_waters)
const completed = (rounds: readonly RoundRow[]) => raising(rounds).filter(({ status }) => status === 'closed')

/**
 * "Linked legs combined": the amounts, also the target, are sums over the legs, so that a reader can compare them. Each investor is
 * counted once.
 */
function raiseRecord({ lead, legs, investors }: NonNullable<CompanyView['raise']>): Attributes['current_raise'] {
  const raised = raisedIn(legs)
  const target = targetOf(legs)
  return {
    offering_id: lead.id,
    offering_ids: legs.map(({ id }) => id),
    testing_the_waters: lead.testing_the_waters,
    currency: lead.currency,
    amount_raised_cents: Number(raised),
    funding_target_cents: target === null ? null : Number(target),
    investor_count: investors,
    oversubscribed: target !== null && raised > target,
    closes_at: lead.closes_at,
  }
}

/** The targets of the legs are added. A leg without a target raises toward the targets of the other legs. */
function targetOf(legs: readonly RoundRow[]): bigint | null {
  const named = legs.flatMap((leg) => leg.funding_target_cents ?? [])
  return named.length === 0 ? null : sumOf(named)
}

function roundRecord(round: RoundRow): Attributes['rounds'][number] {
  const { testing_the_waters } = round
  return {
    offering_id: round.id,
    current: round.status === 'open',
    status: round.status,
    testing_the_waters,
    exemption: round.exemption,
    security: securityOf(round),
    currency: round.currency,
    amount_raised_cents: testing_the_waters ? null : parseCents(round.raised_cents),
    investor_count: testing_the_waters ? null : round.investor_count,
    opened_at: round.opens_at,
    closed_at: round.closed_at,
  }
}

function pastRound(round: RoundRow): Attributes['past_rounds'][number] {
  return {
    offering_id: round.id,
    source: 'platform',
    exemption: round.exemption,
    currency: round.currency,
    amount_raised_cents: parseCents(round.raised_cents),
    investor_count: round.investor_count,
    opened_at: round.opens_at,
    closed_at: round.closed_at,
  }
}

function reportedRound({ amount_raised_cents: cents, ...round }: ReportedRow): Attributes['past_rounds'][number] {
  return { offering_id: null, source: 'reported', amount_raised_cents: parseCents(cents), ...round }
}

/** "Sum of rounds[].amount_raised visible to viewer", for one currency only, because amounts in two currencies have no sum. */
function totalsOf(
  rounds: readonly RoundRow[],
  reported: readonly ReportedRow[],
  raise: CurrentRaise | null,
): Attributes['totals'] {
  const currency = raise?.lead.currency ?? rounds[0]?.currency ?? null
  const investedIn = (some: readonly RoundRow[]) =>
    raisedIn(raising(some).filter((round) => round.currency === currency))
  const off = sumOf(reported.flatMap((past) => (past.currency === currency ? (past.amount_raised_cents ?? []) : [])))
  const shown = [investedIn(raise?.legs ?? []), investedIn(completed(rounds)), off]
  return {
    currency,
    raised_on_platform_all_time_cents: Number(investedIn(rounds)),
    profile_total_raised_cents: Number(sumOf(shown)),
    profile_reported_off_platform_cents: Number(off),
    profile_includes_past_rounds: rounds.length === 0 ? null : completed(rounds).length + reported.length > 0,
  }
}

function raisedIn(rounds: readonly RoundRow[]): bigint {
  return sumOf(rounds.flatMap(({ raised_cents }) => raised_cents ?? []))
}

function sumOf(amounts: readonly (string | bigint)[]): bigint {
  return amounts.reduce<bigint>((sum, each) => sum + BigInt(each), 0n)
}

export type CurrentRaise = {
  /** The first round on the company's page. */
  readonly lead: RoundRow
  /**
   * The open rounds of the same raise, including the lead. If the lead tests the waters, only rounds that test the waters too;
   * otherwise only rounds that accept investments.
   */
  readonly legs: readonly RoundRow[]
}

/**
 * The open rounds in the order of the company's page: public rounds, rounds for accredited investors, then private rounds; in
 * each group rounds that accept investments before those that test the waters, and later rounds before earlier ones. The
 * catalogue lists one public round of each company: the first in this order.
 */
export function openRounds(rounds: readonly RoundRow[]): RoundRow[] {
  return rounds.filter(({ status }) => status === 'open').toSorted((a, b) => rank(a) - rank(b))
}

/** "Live rounds of this campaign summed": reservations and investments are never added together. */
export function currentRaise(rounds: readonly RoundRow[]): CurrentRaise | null {
  const open = openRounds(rounds)
  const [lead] = open
  if (lead === undefined) return null
  const { raise_id, testing_the_waters } = lead
  const legs = open.filter((leg) => leg.raise_id === raise_id && leg.testing_the_waters === testing_the_waters)
  return { lead, legs }
}

const SHOWN_RANK: Readonly<Record<string, number>> = { public: 0, accredited: 2 }
const OWN_RANK = 4

/** The rounds are already sorted newest first, and this sort is stable, so rounds of the same rank stay newest first. */
function rank({ shown_to, testing_the_waters }: RoundRow): number {
  return (shown_to === null ? OWN_RANK : (SHOWN_RANK[shown_to] ?? OWN_RANK)) + Number(testing_the_waters)
}

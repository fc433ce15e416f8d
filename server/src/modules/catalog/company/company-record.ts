import type { Static } from 'typebox'
import { addCents, type Cents, decimalString, parseCents } from '#kernel/money.ts'
import { absoluteUrl, absoluteUrlOrNull } from '../absolute-url.ts'
import { securityOf } from '../offering/offering-record.ts'
import { exemptionParts } from '../words.ts'
import type { OneCompany } from './company-schema.ts'
import type { CompanyRow, ReportedRow, RoundRow } from './company-store.ts'
import { type CurrentRaise, currentRaise } from './current-raise.ts'

type CompanyRecord = Static<typeof OneCompany>['data']
type Attributes = CompanyRecord['attributes']

export type CompanyView = {
  readonly company: CompanyRow
  readonly rounds: readonly RoundRow[]
  readonly reported: readonly ReportedRow[]
}

/** A company as whoever sees these rounds of it sees it. */
export function companyRecord({ company, rounds, reported }: CompanyView, origin: string): CompanyRecord {
  const raise = currentRaise(rounds)
  const { name, tagline, city, state, country, promotion_opt_in } = company
  return {
    id: company.id,
    type: 'company',
    attributes: {
      name,
      tagline,
      url: absoluteUrl(origin, company.page_url),
      logo_url: absoluteUrlOrNull(origin, company.logo_url),
      card_image_url: absoluteUrlOrNull(origin, company.card_image_url),
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

const completed = (rounds: readonly RoundRow[]) => rounds.filter(({ status }) => status === 'closed')

function raiseRecord({ lead, legs }: CurrentRaise): NonNullable<Attributes['current_raise']> {
  const raised = raisedIn(legs)
  const target = parseCents(lead.funding_target_cents)
  return {
    offering_id: lead.id,
    offering_ids: legs.map(({ id }) => id),
    testing_the_waters: lead.testing_the_waters,
    currency: lead.currency,
    amount_raised: decimalString(raised),
    funding_target: decimal(target),
    investor_count: legs.reduce((count, leg) => count + leg.investor_count, 0),
    oversubscribed: target !== null && raised > target,
    closes_at: lead.closes_at,
  }
}

function roundRecord(round: RoundRow): Attributes['rounds'][number] {
  const security = securityOf(round)
  return {
    offering_id: round.id,
    current: round.status === 'open',
    status: round.status,
    exemption: exemptionParts(round.exemption),
    security: security.type === null ? null : security,
    currency: round.currency,
    amount_raised: decimal(parseCents(round.raised_cents)),
    investor_count: round.investor_count,
    opened_at: round.opens_at,
    closed_at: round.closed_at,
  }
}

function pastRound(round: RoundRow): Attributes['past_rounds'][number] {
  return {
    offering_id: round.id,
    source: 'platform',
    exemption: exemptionParts(round.exemption),
    currency: round.currency,
    amount_raised: decimal(parseCents(round.raised_cents)),
    investor_count: round.investor_count,
    opened_at: round.opens_at,
    closed_at: round.closed_at,
  }
}

function reportedRound({ amount_raised_cents, exemption, ...round }: ReportedRow): Attributes['past_rounds'][number] {
  const amount_raised = decimal(parseCents(amount_raised_cents))
  return { offering_id: null, source: 'reported', exemption: exemptionParts(exemption), amount_raised, ...round }
}

/** Reservations raise nothing until they are investments, and amounts in two currencies have no sum. */
function totalsOf(
  rounds: readonly RoundRow[],
  reported: readonly ReportedRow[],
  raise: CurrentRaise | null,
): Attributes['totals'] {
  const currency = raise?.lead.currency ?? rounds[0]?.currency ?? null
  const investedIn = (some: readonly RoundRow[]) =>
    raisedIn(some.filter((round) => round.currency === currency && !round.testing_the_waters))
  const off = addCents(
    reported.flatMap((past) => (past.currency === currency ? (parseCents(past.amount_raised_cents) ?? []) : [])),
  )
  const shown = [investedIn(raise?.legs ?? []), investedIn(completed(rounds)), off]
  return {
    currency,
    raised_on_platform_all_time: decimalString(investedIn(rounds)),
    profile_total_raised: decimalString(addCents(shown)),
    profile_reported_off_platform: decimalString(off),
    profile_includes_past_rounds: rounds.length === 0 ? null : completed(rounds).length + reported.length > 0,
  }
}

function raisedIn(rounds: readonly RoundRow[]): Cents {
  return addCents(rounds.flatMap(({ raised_cents }) => parseCents(raised_cents) ?? []))
}

function decimal(amount: Cents | null): string | null {
  return amount === null ? null : decimalString(amount)
}

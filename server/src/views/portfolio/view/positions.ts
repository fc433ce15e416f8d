import { type PagePlaces, page, pagePlaces, pageSize } from '#http/pagination.ts'
import { absoluteUrl } from '#http/response-bodies.ts'
import type { Behaviour } from '#http/versions.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import type { Contract } from '#market/investments/index.ts'
import type { SecurityType } from '#market/offerings/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { isShownTo, securityLabel } from '#views/catalog/index.ts'
import type { Decimal } from '../store.ts'
import {
  type Amounts,
  addUp,
  exitReason,
  POSITION_STATUSES,
  type PositionStatus,
  plainDecimal,
  positionStatus,
  returnMultiple,
  sharePrice,
  sharesHeld,
  shownAmounts,
  shownCents,
  stakeWorth,
  times,
  type Worth,
} from '../worth/worth.ts'
import type { Position, Slice } from './schemas.ts'
import { aftermathOf, type HoldingRow, holdingsOf, type PositionRow, positionRows, stakeOf } from './store.ts'

export type PositionDeps = { readonly cursors: CursorSealer; readonly origin: () => string }

type ListRequest = Slice & {
  readonly per_page?: number
  readonly cursor?: string
  readonly cursorsAre: Behaviour['pageCursors']
}

/** A page of an investor's positions, newest first. */
export async function listPositions(
  deps: PositionDeps,
  queries: WorldQueries,
  investor: Id<'user'>,
  requested: ListRequest,
) {
  const { status = null, per_page, cursor, cursorsAre } = requested
  const size = pageSize(per_page)
  // A cursor belongs to one investor's positions.
  const places: PagePlaces = pagePlaces(deps.cursors, cursorsAre, { kind: `positions/${investor}`, version: 1 })
  const { after, skip } = places.open(cursor)
  const company = await knownCompany(queries, investor, requested.company)
  const place = after === null ? null : { at: String(after[0]), investment: String(after[1]) }
  const rows = await positionRows(queries, investor, { after: place, skip, limit: size + 1, company, status })
  const positions = byOffering(rows)
  const funds = positions.flatMap(([{ kind, company_id }]) => (kind === 'fund' ? company_id : []))
  const holdings = Map.groupBy(await holdingsOf(queries, funds), ({ fund_id }) => fund_id)
  return page({
    rows: positions,
    size,
    item: (stakes) => positionRecord(stakes, holdings.get(stakes[0].company_id) ?? [], deps.origin()),
    next: ([{ place_at, place_id }]) => places.next([place_at, place_id], skip + size),
  })
}

function byOffering(rows: readonly PositionRow[]): PositionStakes[] {
  return [...Map.groupBy(rows, ({ offering_id }) => offering_id).values()] as unknown as PositionStakes[]
}

/** The stakes in one offering, oldest first. */
type PositionStakes = readonly [PositionRow, ...PositionRow[]]

/** One record for all stakes of an investor in one offering: "one position per offering; sums own stakes." */
export function positionRecord(rows: PositionStakes, holdings: readonly HoldingRow[], origin: string): Position {
  const [first] = rows
  const stakes = rows.map(valued)
  const worths = stakes.map(({ worth }) => worth)
  const amounts = addUp(worths)
  const { exit } = aftermathOf(first)
  const status = positionStatus(rows.map(stakeOf), exit)
  const reason = exitReason(status, exit)
  return {
    id: first.offering_id,
    type: 'portfolio_position',
    attributes: {
      offering_id: first.offering_id,
      company: companyRef({ ...first, name: first.company_name }, origin),
      asset_type: first.kind,
      security: labelled(first.security_type),
      status,
      // Existing clients do not expect null here.
      ...(reason === null ? {} : { exit_reason: reason }),
      invested_at: first.invested_at,
      currency: first.currency,
      ...shownAmounts(amounts),
      return_multiple: returnMultiple(amounts),
      shares_held: sharesHeld(worths),
      current_share_price: sharePrice(worths),
      securities: securitiesOf(stakes),
      holdings: holdings.map((holding) => ({ company: companyRef(holding, origin), status: holding.status })),
      as_of: first.as_of,
    },
  }
}

type CompanyRow = Pick<HoldingRow, 'company_id' | 'name' | 'slug' | 'page_url'>

/** "Positions and holdings carry company.url." */
export function companyRef({ company_id, name, slug, page_url }: CompanyRow, origin: string) {
  return { id: company_id, name, slug, url: absoluteUrl(origin, page_url) }
}

type ValuedStake = { readonly row: PositionRow; readonly worth: Worth }

function valued(row: PositionRow): ValuedStake {
  return { row, worth: stakeWorth(stakeOf(row), aftermathOf(row)) }
}

type Security = Position['attributes']['securities'][number]

/**
 * "Splits by security offering and legal owner (early-bird tiers, personal versus entity)." Everything bought by the same owner
 * at the same price and on the same terms is one part.
 */
function securitiesOf(stakes: readonly ValuedStake[]): Security[] {
  return [...Map.groupBy(stakes, ({ row }) => JSON.stringify(partOf(row))).values()].map(securityOf)
}

type Part = { readonly entity: string | null; readonly earlyBird: boolean; readonly pricePaid: Decimal | null }

function partOf({ entity_name, contracts, average_share_price: price }: PositionRow): Part {
  const earlyBird = (JSON.parse(contracts) as Contract[]).some(({ early_bird }) => early_bird)
  return { entity: entity_name, earlyBird, pricePaid: price === null ? null : plainDecimal(price) }
}

function securityOf(stakes: readonly ValuedStake[]): Security {
  const [first] = stakes
  if (first === undefined) throw new Error('a part of a position without a stake')
  const { entity, earlyBird, pricePaid } = partOf(first.row)
  const worths = stakes.map(({ worth }) => worth)
  return {
    security: labelled(first.row.security_type),
    early_bird: earlyBird,
    terms: securityTerms(first.row, pricePaid),
    ...shownAmounts(addUp(worths)),
    shares_held: sharesHeld(worths),
    current_share_price: sharePrice(worths),
    // The stakes are sorted oldest first.
    invested_at: first.row.invested_at,
    owner: entity === null ? { kind: 'individual' } : { kind: 'entity', name: entity },
  }
}

type Terms = Position['attributes']['securities'][number]['terms']

type Sold = {
  readonly security_type: SecurityType | null
  /** JSON text. */
  readonly security_terms: string | null
}

type TermsShown = {
  readonly share_price?: Decimal | null
  readonly pre_money_valuation?: Decimal | null
  readonly valuation_cap?: Decimal | null
  readonly discount_percent?: Decimal | null
}

/**
 * "Null where not applicable." The share price is the price that was paid for this part, if it is known, because early birds paid
 * another price than the round's.
 */
export function securityTerms({ security_terms }: Sold, pricePaid: Decimal | null): Terms {
  const terms: TermsShown = security_terms === null ? {} : JSON.parse(security_terms)
  return {
    share_price: pricePaid ?? terms.share_price ?? null,
    note_cap_cents: inCents(terms.valuation_cap),
    note_discount: terms.discount_percent ?? null,
    premoney_valuation_cents: inCents(terms.pre_money_valuation),
  }
}

function inCents(units: Decimal | null | undefined): number | null {
  return units === null || units === undefined ? null : shownCents(times(100n, units))
}

/** "SecuritySummary: kind only, no terms." */
export function labelled(type: SecurityType | null): { readonly type: SecurityType; readonly label: string } | null {
  return type === null ? null : { type, label: securityLabel(type) }
}

/**
 * "Unknown company: 404." A company that the user may not see counts as unknown, because the response must not reveal that it exists.
 * The user may see every company in which they invested.
 */
export async function knownCompany(
  queries: WorldQueries,
  user: Id<'user'>,
  company: string | undefined,
): Promise<Id<'company'> | null> {
  if (company === undefined) return null
  const id = parseId('company', company)
  if (id === null || !(await isShownTo(queries, user, id))) throw notFound(`${user} may not see ${company}`)
  return id
}

/** The fields of a position that totals need. */
export type Counted = {
  readonly status: PositionStatus
  readonly currency: string
  readonly amounts: Amounts
}

/** The currency of empty totals. */
const USUAL_CURRENCY = 'usd'

/** The totals are in the currency of most positions. Each currency also has its own totals. */
export function totalsOf(positions: readonly Counted[]) {
  const byCurrency = [...Map.groupBy(positions, ({ currency }) => currency)]
    .toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
    .map(([currency, those]) => totalsIn(currency, those))
  return { ...(byCurrency[0] ?? totalsIn(USUAL_CURRENCY, [])), by_currency: byCurrency }
}

export function countsOf(positions: readonly Counted[]): Record<PositionStatus, number> {
  const counts = POSITION_STATUSES.map((status) => [status, positions.filter((one) => one.status === status).length])
  return Object.fromEntries(counts) as Record<PositionStatus, number>
}

function totalsIn(currency: string, positions: readonly Counted[]) {
  const amounts = addUp(positions.map((position) => position.amounts))
  const shown = shownAmounts(amounts)
  return {
    currency,
    total_cost_basis_cents: shown.cost_basis_cents,
    total_current_value_cents: shown.current_value_cents,
    total_unrealized_gain_cents: shown.unrealized_gain_cents,
    total_realized_gain_cents: shown.realized_gain_cents,
    return_multiple: returnMultiple(amounts),
  }
}

import { type Static, Type } from 'typebox'
import { listOf, page, pagePlaces, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf } from '#http/schema-fields.ts'
import type { Behaviour } from '#http/versions.ts'
import { notFound } from '#kernel/errors.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import { forManagers, managerOf } from '#market/syndicates/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { type DealSumsRow, dealTotals, isKnownTo, positionSums, type Sums } from './syndicate-store.ts'
import { companyRef, countsOf, labelled, type PositionDeps, securityTerms, totalsOf } from './view/positions.ts'
import {
  AsOf,
  ByCurrency,
  Count,
  POSITION,
  POSITION_END,
  SECURITY,
  SLICE,
  type Slice,
  StatusCounts,
  TOTALS,
} from './view/schemas.ts'
import { type HoldingRow, holdingsOf } from './view/store.ts'
import { type Amounts, exitReason, type PositionStatus, returnMultiple, shownAmounts } from './worth/worth.ts'

const tag = 'Syndicates'
const access = forManagers('read:syndicates')

/** The results of a syndicate's deals over all holders, computed from the facts on every request. */
export const syndicatePortfolioRoutes = (deps: PositionDeps): Route[] => [
  route({
    operation: 'getSyndicatePortfolio',
    method: 'GET',
    path: '/syndicates/:syndicate_id/portfolio',
    summary: 'Get a syndicate’s portfolio summary',
    description:
      'Returns what a syndicate’s funded deals cost, what they are worth and what they returned, over all holders.',
    tag,
    access,
    schema: { params: SyndicateParam, query: Type.Object(SLICE), response: { 200: SyndicateSummarySchema } },
    handler: async ({ db, caller, params: { syndicate_id }, query }) => {
      await managerOf(db.reads, caller, syndicate_id)
      return { status: 200, body: { data: await summarizeSyndicate(db.reads, syndicate_id, query) } }
    },
  }),
  route({
    operation: 'listSyndicatePortfolioPositions',
    method: 'GET',
    path: '/syndicates/:syndicate_id/portfolio/positions',
    summary: 'List syndicate portfolio positions',
    description: 'Returns a syndicate’s funded deals, newest first, each with its sums over all holders.',
    tag,
    access,
    schema: {
      params: SyndicateParam,
      query: Type.Object({ ...SLICE, ...pageQuery() }),
      response: { 200: listOf(SyndicatePositionSchema) },
    },
    handler: async ({ db, caller, params: { syndicate_id }, query, behaviour }) => {
      await managerOf(db.reads, caller, syndicate_id)
      const requested = { ...query, cursorsAre: behaviour.pageCursors }
      return { status: 200, body: await listSyndicatePositions(deps, db.reads, syndicate_id, requested) }
    },
  }),
]

/** "Funded deals, summed over all holders (not only current members), aggregate only." */
async function summarizeSyndicate(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  slice: Slice,
): Promise<SyndicateSummary> {
  const company = await knownCompany(queries, syndicate, slice.company)
  const rows = await dealTotals(queries, syndicate, { company, status: slice.status ?? null })
  const all = rows.find(({ offering_id }) => offering_id === null)
  const deals = rows.flatMap((row) =>
    row.currency === null ? [] : { status: statusOf(row), currency: row.currency, amounts: amountsOf(row) },
  )
  return {
    type: 'syndicate_portfolio_summary',
    attributes: {
      ...totalsOf(deals),
      deal_counts: countsOf(deals),
      investor_count: all?.investor_count ?? 0,
      as_of: all?.as_of ?? null,
    },
  }
}

type ListRequest = Slice & {
  readonly per_page?: number
  readonly cursor?: string
  readonly cursorsAre: Behaviour['pageCursors']
}

/** A page of the results of a syndicate's deals, "one row per fundraise, newest first, aggregated over all holders". */
async function listSyndicatePositions(
  deps: PositionDeps,
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  requested: ListRequest,
) {
  const { status = null, per_page, cursor, cursorsAre } = requested
  const size = pageSize(per_page)
  // A cursor belongs to one syndicate's positions.
  const places = pagePlaces(deps.cursors, cursorsAre, { kind: `positions/${syndicate}`, version: 1 })
  const { after, skip } = places.open(cursor)
  const company = await knownCompany(queries, syndicate, requested.company)
  const place = after === null ? null : String(after[0])
  const rows = await positionSums(queries, syndicate, { after: place, skip, limit: size + 1, company, status })
  // The rows of each position start with the row for the whole deal.
  const positions = [...Map.groupBy(rows, ({ offering_id }) => offering_id).values()] as unknown as PositionParts[]
  const funds = positions.flatMap(([{ kind, company_id }]) => (kind === 'fund' ? company_id : []))
  const holdings = Map.groupBy(await holdingsOf(queries, funds), ({ fund_id }) => fund_id)
  return page({
    rows: positions,
    size,
    item: (parts) => positionRecord(parts, holdings.get(parts[0].company_id) ?? [], deps.origin()),
    next: ([{ offering_id }]) => places.next([offering_id], skip + size),
  })
}

/** "Unknown company: 404." */
async function knownCompany(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  company: string | undefined,
): Promise<Id<'company'> | null> {
  if (company === undefined) return null
  const id = parseId('company', company)
  if (id === null || !(await isKnownTo(queries, syndicate, id))) throw notFound(`${syndicate} may not see ${company}`)
  return id
}

/** The row for the whole deal, then its parts. */
type PositionParts = readonly [DealSumsRow, ...DealSumsRow[]]

/** "Summed over all holders (not only current members), aggregate only." */
function positionRecord(
  [whole, ...parts]: PositionParts,
  holdings: readonly HoldingRow[],
  origin: string,
): SyndicatePosition {
  const { offering_id, security_type } = whole
  const status = statusOf(whole)
  const reason = exitReason(status, { reason: whole.exit_reason })
  const amounts = amountsOf(whole)
  return {
    id: offering_id,
    type: 'syndicate_portfolio_position',
    attributes: {
      offering_id,
      company: companyRef({ ...whole, name: whole.company_name }, origin),
      asset_type: whole.kind,
      security: labelled(security_type),
      status,
      // Existing clients do not expect null here.
      ...(reason === null ? {} : { exit_reason: reason }),
      invested_at: whole.invested_at,
      currency: whole.currency,
      ...shownAmounts(amounts),
      return_multiple: returnMultiple(amounts),
      ...sharesOf(whole),
      investor_count: whole.investor_count,
      securities: parts.map(securityOf),
      holdings: holdings.map((holding) => ({ company: companyRef(holding, origin), status: holding.status })),
      as_of: whole.as_of,
    },
  }
}

function securityOf(part: DealSumsRow): SyndicatePosition['attributes']['securities'][number] {
  return {
    security: labelled(part.security_type),
    early_bird: part.early_bird,
    terms: securityTerms(part, part.price_paid),
    ...shownAmounts(amountsOf(part)),
    ...sharesOf(part),
    invested_at: part.invested_at,
    investor_count: part.investor_count,
  }
}

const sharesOf = ({ shares_held, share_price }: Sums) => ({ shares_held, current_share_price: share_price })

function amountsOf(sums: Pick<Sums, 'cost' | 'value' | 'unrealized' | 'realized'>): Amounts {
  const { cost, value, unrealized, realized } = sums
  return { cost: BigInt(cost), value: BigInt(value), unrealized: BigInt(unrealized), realized: BigInt(realized) }
}

/** Derives the status of a deal from its sums, by the rule of `positionStatus`. */
function statusOf({ all_sold, exit_status }: Pick<DealSumsRow, 'all_sold' | 'exit_status'>): PositionStatus {
  return all_sold ? 'sold' : (exit_status ?? 'active')
}

const SyndicateParam = Type.Object({ syndicate_id: idOf('syndicate') })

const Investors = Type.Integer({
  minimum: 0,
  description: 'The number of people who hold or held a stake, each counted once.',
})

const SecuritySchema = exactly({ ...SECURITY, investor_count: Investors }, 'SyndicatePortfolioSecurity')

const SyndicatePositionSchema = exactly(
  {
    id: idOf('offering'),
    type: Type.Literal('syndicate_portfolio_position'),
    attributes: exactly({
      ...POSITION,
      investor_count: Investors,
      securities: Type.Array(SecuritySchema, { description: 'One part for each price paid and early-bird status.' }),
      ...POSITION_END,
    }),
  },
  'SyndicatePortfolioPosition',
)

const SyndicateSummarySchema = exactly({
  data: exactly(
    {
      type: Type.Literal('syndicate_portfolio_summary'),
      attributes: exactly({
        ...TOTALS,
        by_currency: ByCurrency,
        deal_counts: StatusCounts,
        investor_count: Count,
        as_of: AsOf,
      }),
    },
    'SyndicatePortfolioSummary',
  ),
})

type SyndicatePosition = Static<typeof SyndicatePositionSchema>
type SyndicateSummary = Static<typeof SyndicateSummarySchema>['data']

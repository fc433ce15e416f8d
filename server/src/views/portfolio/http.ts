import { Type } from 'typebox'
import { actingUser, forThemselves } from '#access/installations/index.ts'
import { listOf, pageQuery } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { VersionStep } from '#http/version-steps.ts'
import { withCountedCursor } from '#http/version-steps.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { type Counted, countsOf, knownCompany, listPositions, type PositionDeps, totalsOf } from './view/positions.ts'
import { PositionSchema, SLICE, type Slice, type Summary, SummarySchema } from './view/schemas.ts'
import { aftermathOf, type StakeRow, stakeOf, stakesOf } from './view/store.ts'
import { addUp, positionStatus, stakeWorth } from './worth/worth.ts'

export { syndicatePortfolioRoutes } from './syndicate-routes.ts'

export type PortfolioRouteDeps = PositionDeps

/** A user's portfolio as an investor, computed from the facts on every request. */
export const portfolioRoutes = (deps: PortfolioRouteDeps): Route[] => [
  route({
    operation: 'getPortfolio',
    method: 'GET',
    path: '/portfolio',
    summary: 'Get the portfolio summary',
    description: 'Returns what the user’s portfolio cost, what it is worth and what it returned.',
    tag: 'Portfolio',
    access: forThemselves('read:investments'),
    schema: { query: Type.Object(SLICE), response: { 200: SummarySchema } },
    handler: async ({ db, caller, query }) => {
      const investor = await actingUser(db.reads, caller)
      return { status: 200, body: { data: await summarizePortfolio(db.reads, investor, query) } }
    },
  }),
  route({
    operation: 'listPortfolioPositions',
    method: 'GET',
    path: '/portfolio/positions',
    summary: 'List portfolio positions',
    description: 'Returns what the user holds or held, with one position for each offering, newest first.',
    tag: 'Portfolio',
    access: forThemselves('read:investments'),
    schema: { query: Type.Object({ ...SLICE, ...pageQuery() }), response: { 200: listOf(PositionSchema) } },
    handler: async ({ db, caller, query, behaviour }) => {
      const investor = await actingUser(db.reads, caller)
      const requested = { ...query, cursorsAre: behaviour.pageCursors }
      return { status: 200, body: await listPositions(deps, db.reads, investor, requested) }
    },
  }),
]

/** The totals of an investor's portfolio, or of the positions that a filter selects. */
async function summarizePortfolio(queries: WorldQueries, investor: Id<'user'>, slice: Slice): Promise<Summary> {
  const company = await knownCompany(queries, investor, slice.company)
  const rows = await stakesOf(queries, investor, company)
  const all = [...Map.groupBy(rows, ({ offering_id }) => offering_id).values()].flatMap(positionOf)
  const positions = all.filter(({ status }) => slice.status === undefined || status === slice.status)
  return {
    type: 'portfolio_summary',
    attributes: {
      ...totalsOf(positions),
      position_counts: countsOf(positions),
      as_of: positions[0]?.asOf ?? null,
    },
  }
}

type Position = Counted & { readonly asOf: string }

function positionOf(rows: readonly StakeRow[]): Position[] {
  const [first] = rows
  if (first === undefined) return []
  const [stakes, aftermath] = [rows.map(stakeOf), aftermathOf(first)]
  return [
    {
      status: positionStatus(stakes, aftermath.exit),
      currency: first.currency,
      amounts: addUp(stakes.map((stake) => stakeWorth(stake, aftermath))),
      asOf: first.as_of,
    },
  ]
}

export const PORTFOLIO_STEPS: readonly VersionStep[] = [
  {
    name: 'sealed cursors of the portfolio',
    before: '2026-11-01',
    operations: ['listPortfolioPositions', 'listSyndicatePortfolioPositions'],
    response: (body, status) => (status === 200 ? withCountedCursor(body) : body),
  },
]

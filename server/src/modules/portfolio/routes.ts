import { Type } from 'typebox'
import { listOf, pageQuery } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { actingUser, forThemselves } from '#modules/installations/index.ts'
import { listPositions, type PositionDeps } from './view/list-positions.ts'
import { PositionSchema, SLICE, SummarySchema } from './view/schemas.ts'
import { summarizePortfolio } from './view/summarize-portfolio.ts'

export type PortfolioRouteDeps = PositionDeps

/** What a user has as an investor, worked out from the facts whenever it is asked for. */
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
      const asked = { ...query, cursorsAre: behaviour.pageCursors }
      return { status: 200, body: await listPositions(deps, db.reads, investor, asked) }
    },
  }),
]

import { Type } from 'typebox'
import { listOf, pageQuery } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { forManagers, managerOf } from '#modules/syndicates/index.ts'
import type { PositionDeps } from '../view/list-positions.ts'
import { SLICE } from '../view/schemas.ts'
import { listSyndicatePositions } from './list-positions.ts'
import { SyndicateParam, SyndicatePositionSchema, SyndicateSummarySchema } from './schemas.ts'
import { summarizeSyndicate } from './summarize.ts'

const tag = 'Syndicates'
const access = forManagers('read:syndicates')

/** What a syndicate's deals came to for all who hold them, worked out from the facts whenever it is asked for. */
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
    description: 'Returns a syndicate’s funded deals one by one, each over all holders, newest first.',
    tag,
    access,
    schema: {
      params: SyndicateParam,
      query: Type.Object({ ...SLICE, ...pageQuery() }),
      response: { 200: listOf(SyndicatePositionSchema) },
    },
    handler: async ({ db, caller, params: { syndicate_id }, query, behaviour }) => {
      await managerOf(db.reads, caller, syndicate_id)
      const asked = { ...query, cursorsAre: behaviour.pageCursors }
      return { status: 200, body: await listSyndicatePositions(deps, db.reads, syndicate_id, asked) }
    },
  }),
]

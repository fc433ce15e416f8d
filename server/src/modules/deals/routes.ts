import { Type } from 'typebox'
import { listOf, pageQuery } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { forManagers, managerOf } from '#modules/syndicates/index.ts'
import { DealSchema } from './deal/deal-schema.ts'
import { type DealDeps, listDeals } from './deal/list-deals.ts'
import { showDeal } from './deal/show-deal.ts'
import { DealInvestorList, InvestorQuery } from './investors/investor-schema.ts'
import { listInvestors } from './investors/list-investors.ts'
import { listMemberInvestments } from './member-investments/list-member-investments.ts'
import { MemberInvestmentList } from './member-investments/member-investment-schema.ts'
import { DealParams, MemberParams, OneDeal, SyndicateParam } from './schemas.ts'
import { showStatistics } from './statistics/show-statistics.ts'
import { OneStatistics } from './statistics/statistics-schema.ts'

export type DealRouteDeps = DealDeps

const tag = 'Syndicates'
const access = forManagers('read:syndicates')

/** What those who run a syndicate see of its deals. */
export const dealRoutes = (deps: DealRouteDeps): Route[] => [
  route({
    operation: 'listSyndicateDeals',
    method: 'GET',
    path: '/syndicates/:syndicate_id/deals',
    summary: 'List syndicate deals',
    description: 'Returns the live deals of a syndicate, newest first.',
    tag,
    access,
    schema: { params: SyndicateParam, query: Type.Object(pageQuery()), response: { 200: listOf(DealSchema) } },
    handler: async ({ db, caller, params: { syndicate_id }, query }) => {
      await managerOf(db.reads, caller, syndicate_id)
      return { status: 200, body: await listDeals(deps, db.reads, syndicate_id, query) }
    },
  }),
  route({
    operation: 'getSyndicateDeal',
    method: 'GET',
    path: '/syndicates/:syndicate_id/deals/:fundraise_id',
    summary: 'Get a syndicate deal',
    description: 'Returns a deal of a syndicate, whether it is live or not.',
    tag,
    access,
    schema: { params: DealParams, response: { 200: OneDeal } },
    handler: async ({ db, caller, params: { syndicate_id: syndicate, fundraise_id: offering } }) => {
      await managerOf(db.reads, caller, syndicate)
      return { status: 200, body: { data: await showDeal(db.reads, { syndicate, offering }, deps.origin()) } }
    },
  }),
  route({
    operation: 'listSyndicateDealInvestors',
    method: 'GET',
    path: '/syndicates/:syndicate_id/deals/:fundraise_id/investors',
    summary: 'List deal investors',
    description: 'Returns the members who invested in a deal, largest amount first.',
    tag,
    access,
    schema: { params: DealParams, query: InvestorQuery, response: { 200: DealInvestorList } },
    handler: async ({ db, caller, params: { syndicate_id: syndicate, fundraise_id: offering }, query, behaviour }) => {
      await managerOf(db.reads, caller, syndicate)
      const reading = { ...deps, lists: behaviour.unpagedLists }
      return { status: 200, body: await listInvestors(reading, db.reads, { syndicate, offering }, query) }
    },
  }),
  route({
    operation: 'listSyndicateMemberInvestments',
    method: 'GET',
    path: '/syndicates/:syndicate_id/members/:member_id/investments',
    summary: 'List a member’s investments',
    description: 'Returns what a member invested in the syndicate’s deals, with one row for each company.',
    tag,
    access,
    schema: { params: MemberParams, query: Type.Object(pageQuery()), response: { 200: MemberInvestmentList } },
    handler: async ({ db, caller, params: { syndicate_id: syndicate, member_id: member }, query, behaviour }) => {
      await managerOf(db.reads, caller, syndicate)
      const asked = { query, lists: behaviour.unpagedLists, cursors: deps.cursors }
      return { status: 200, body: await listMemberInvestments(db.reads, { syndicate, member }, asked) }
    },
  }),
  route({
    operation: 'getSyndicateStatistics',
    method: 'GET',
    path: '/syndicates/:syndicate_id/statistics',
    summary: 'Get syndicate statistics',
    description: 'Returns how many members, deals and investors a syndicate has, and the amount it raised.',
    tag,
    access,
    schema: { params: SyndicateParam, response: { 200: OneStatistics } },
    handler: async ({ db, caller, params: { syndicate_id } }) => {
      await managerOf(db.reads, caller, syndicate_id)
      return { status: 200, body: { data: await showStatistics(db.reads, syndicate_id) } }
    },
  }),
]

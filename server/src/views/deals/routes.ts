import { type Static, Type } from 'typebox'
import { listOf, type PageRequest, pageQuery, shortListPage } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, time } from '#http/schema-fields.ts'
import type { Behaviour } from '#http/versions.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { forManagers, managerOf } from '#market/syndicates/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { Count, Text } from '#views/catalog/http.ts'
import { type DealDeps, listDeals, listInvestors, showDeal } from './deals.ts'
import {
  Currency,
  cents,
  DealInvestorList,
  DealParams,
  DealSchema,
  InvestorQuery,
  MemberParams,
  OneDeal,
  StatusSchema,
  SyndicateParam,
} from './schemas.ts'
import {
  dealCounts,
  investmentsOfMember,
  type MemberInvestmentRow,
  membersByRole,
  raisedByCurrency,
  userOfMember,
} from './store.ts'

export type DealRouteDeps = DealDeps

const tag = 'Syndicates'
const access = forManagers('read:syndicates')

/** The deals of a syndicate, for its managers. */
export const dealRoutes = (deps: DealRouteDeps): Route[] => [
  route({
    operation: 'listSyndicateDeals',
    method: 'GET',
    path: '/syndicates/:syndicate_id/deals',
    summary: 'List syndicate deals',
    description: 'Returns the deals of a syndicate that are open or closing, newest first.',
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
    description: 'Returns a deal of a syndicate in any status.',
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
    description:
      'Returns what a member invested in the selected deals of a syndicate. For each company, the deal that opened last is selected.',
    tag,
    access,
    schema: { params: MemberParams, query: Type.Object(pageQuery()), response: { 200: MemberInvestmentList } },
    handler: async ({ db, caller, params: { syndicate_id: syndicate, member_id: member }, query, behaviour }) => {
      await managerOf(db.reads, caller, syndicate)
      const requested = { query, lists: behaviour.unpagedLists, cursors: deps.cursors }
      return { status: 200, body: await listMemberInvestments(db.reads, { syndicate, member }, requested) }
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

async function showStatistics(queries: WorldQueries, syndicate: Id<'syndicate'>): Promise<Statistics> {
  const [roles, counts, raised] = await Promise.all([
    membersByRole(queries, syndicate),
    dealCounts(queries, syndicate),
    raisedByCurrency(queries, syndicate),
  ])
  const totals = raised.map(({ currency, raised_cents }) => ({
    currency,
    total_raised_cents: Number(raised_cents),
  }))
  return {
    id: syndicate,
    type: 'syndicate_statistics',
    attributes: {
      total_members: roles.reduce((all, { counted }) => all + counted, 0),
      members_by_role: Object.fromEntries(roles.map(({ role, count }) => [role, count])),
      total_deals: counts.total_deals,
      live_deals: counts.live_deals,
      ...(totals[0] ?? { currency: USUAL_CURRENCY, total_raised_cents: 0 }),
      raised_by_currency: totals,
      total_investors: counts.total_investors,
      recent_activity_count: counts.recent_activity_count,
    },
  }
}

const StatisticsSchema = exactly(
  {
    id: idOf('syndicate'),
    type: Type.Literal('syndicate_statistics'),
    attributes: exactly({
      total_members: Type.Integer({
        minimum: 0,
        description: 'The number of current members, without hidden and deactivated members.',
      }),
      members_by_role: Type.Unsafe<Readonly<Record<string, number>>>({
        type: 'object',
        additionalProperties: Count,
        description: 'The roles of GET …/members. A role without members is absent.',
      }),
      total_deals: Type.Integer({ minimum: 0, description: 'All deals that the syndicate runs or ran.' }),
      live_deals: Type.Integer({ minimum: 0, description: 'The deals that GET …/deals lists.' }),
      currency: Currency,
      total_raised_cents: cents(
        'The amount raised in this currency by the selected deals: for each company, the deal that opened last. Deals that test the waters are never selected.',
      ),
      raised_by_currency: Type.Array(
        exactly({ currency: Currency, total_raised_cents: cents('The sum in this currency.') }),
        {
          description: 'The sums in each currency. The first entry repeats `currency` and `total_raised_cents`.',
        },
      ),
      total_investors: Type.Integer({
        minimum: 0,
        description: 'The number of investors in the selected deals of all currencies, each counted once.',
      }),
      recent_activity_count: Type.Integer({
        minimum: 0,
        description: 'The number of events about members, invitations and sessions in the last 30 days.',
      }),
    }),
  },
  'SyndicateStatistics',
)

const OneStatistics = exactly({ data: StatisticsSchema })
type Statistics = Static<typeof StatisticsSchema>

/**
 * "Member's investments in the syndicate's selected deals (one per company)." Such a list is short, so all rows are read for
 * each page.
 */
async function listMemberInvestments(
  queries: WorldQueries,
  { syndicate, member }: { readonly syndicate: Id<'syndicate'>; readonly member: Id<'membership'> },
  requested: { readonly query: PageRequest; readonly lists: Behaviour['unpagedLists']; readonly cursors: CursorSealer },
) {
  const user = await userOfMember(queries, syndicate, member)
  if (user === null) throw notFound(`${member} is not a member of ${syndicate}`)
  const rows = await investmentsOfMember(queries, syndicate, user)
  const totals = sumsByCurrency(rows).map(({ currency, cents }) => ({
    currency,
    total_amount_cents: Number(cents),
  }))
  const { data, meta } = shortListPage({
    ...{ ...requested, rows, kind: { kind: `member_investments/${syndicate}/${member}`, version: 1 } },
    place: ({ created_at, id }) => [created_at, id],
    order: 'descending',
    item: investmentRecord,
  })
  const first = totals[0] ?? { currency: USUAL_CURRENCY, total_amount_cents: 0 }
  return { data, meta: { ...meta, count: meta.page_count, ...first, total_by_currency: totals } }
}

function investmentRecord(row: MemberInvestmentRow): MemberInvestment {
  return {
    id: row.id,
    type: 'member_investment',
    attributes: {
      offering: row.offering_id,
      company: row.company_id,
      company_name: row.company_name,
      currency: row.currency,
      amount_cents: Number(row.amount_cents),
      status: row.confirmed ? 'confirmed' : 'pending',
      created_at: row.created_at,
    },
  }
}

/** The currency of empty totals. */
const USUAL_CURRENCY = 'usd'

type Amount = { readonly currency: string; readonly amount_cents: string }

/** "Totals never mix currencies": one sum for each currency. The currency with the most rows is first. */
function sumsByCurrency(rows: readonly Amount[]): readonly { readonly currency: string; readonly cents: bigint }[] {
  return [...Map.groupBy(rows, ({ currency }) => currency)]
    .toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
    .map(([currency, those]) => ({
      currency,
      cents: those.reduce((sum, { amount_cents }) => sum + BigInt(amount_cents), 0n),
    }))
}

const MemberInvestmentSchema = exactly(
  {
    id: Type.Unsafe<Static<ReturnType<typeof idOf<'investment'>>>>({
      ...idOf('investment'),
      description: 'The member’s first investment in the deal.',
    }),
    type: Type.Literal('member_investment'),
    attributes: exactly({
      offering: idOf('offering'),
      company: idOf('company'),
      company_name: Text,
      currency: Currency,
      amount_cents: cents('The person’s total in the deal.'),
      status: StatusSchema,
      created_at: time('When the person’s first investment was committed.'),
    }),
  },
  'MemberInvestment',
)

type MemberInvestment = Static<typeof MemberInvestmentSchema>

const MemberInvestmentList = listOf(MemberInvestmentSchema, {
  count: Type.Integer({ description: 'The same as page_count.' }),
  currency: Currency,
  total_amount_cents: cents('The sum in this currency.'),
  total_by_currency: Type.Array(
    exactly({ currency: Currency, total_amount_cents: cents('The sum in this currency.') }),
    {
      description: 'The sums in each currency. The first entry repeats `currency` and `total_amount_cents`.',
    },
  ),
})

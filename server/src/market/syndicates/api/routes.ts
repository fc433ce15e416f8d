import { type Static, Type } from 'typebox'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { absoluteUrl } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, line, nullable, oneOf } from '#http/schema-fields.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import type { Fund } from '../syndicate.ts'
import { updateSyndicate } from '../syndicate-settings.ts'
import { directoryRoutes } from './directory-routes.ts'
import {
  bearerOf,
  forManagers,
  managerOf,
  occasionOf,
  type SyndicateCaller,
  type SyndicateRouteDeps,
} from './manager-access.ts'
import { NullableText, OfSyndicate, Paragraphs, Time } from './member-record.ts'
import { memberActionRoutes, memberRoutes } from './member-routes.ts'
import { type ShownSyndicate, showSyndicate, syndicatesOfManager } from './store.ts'

/** Routes for the managers of syndicates. */
export const syndicateRoutes = (deps: SyndicateRouteDeps): Route[] => [
  ...syndicateSettingsRoutes(deps),
  ...memberRoutes(deps),
  ...memberActionRoutes(deps),
  ...directoryRoutes(),
]

const syndicateSettingsRoutes = ({ cursors, origin }: SyndicateRouteDeps): Route[] => [
  route({
    operation: 'listSyndicates',
    method: 'GET',
    path: '/syndicates',
    summary: 'List syndicates',
    description:
      'Returns the syndicates that the user manages, newest first. An installation’s token gets only the syndicate on which the app is installed.',
    tag: 'Syndicates',
    access: forManagers('read:syndicates'),
    schema: { query: Type.Object(pageQuery()), response: { 200: SyndicateList } },
    handler: async ({ db, caller, query }) => {
      const kind = { kind: `syndicates/${db.world}`, version: 1 }
      const size = pageSize(query.per_page)
      const [before = null] = openCursor(cursors, kind, query.cursor) ?? []
      const rows = await listed(db, caller, { before: before === null ? null : String(before), limit: size + 1 })
      const item = (row: (typeof rows)[number]) => syndicateRecord(row, origin())
      return { status: 200, body: page({ rows, size, item, next: ({ id }) => cursors.seal(kind, [id]) }) }
    },
  }),
  route({
    operation: 'getSyndicate',
    method: 'GET',
    path: '/syndicates/:syndicate_id',
    summary: 'Get a syndicate',
    description: 'Returns a syndicate with its settings, its number of members and its number of current deals.',
    tag: 'Syndicates',
    access: forManagers('read:syndicates'),
    schema: { params: OfSyndicate, response: { 200: OneSyndicate } },
    handler: async ({ db, caller, params: { syndicate_id: id } }) => {
      await managerOf(db.reads, caller, id)
      return { status: 200, body: { data: syndicateRecord(await showSyndicate(db.reads, id), origin()) } }
    },
  }),
  route({
    operation: 'updateSyndicate',
    method: 'PATCH',
    path: '/syndicates/:syndicate_id',
    summary: 'Update a syndicate',
    description: 'Changes a syndicate’s name, tagline or description. Only the fields in the body change.',
    tag: 'Syndicates',
    access: forManagers('write:syndicates'),
    schema: { params: OfSyndicate, body: SyndicateChanges, response: { 200: OneSyndicate } },
    transaction: async ({ tx, caller, params: { syndicate_id: id }, body, requestId }) => {
      await managerOf(tx, caller, id)
      const { syndicate: changes } = body
      const unchanged = Object.keys(changes).length === 0
      if (!unchanged) await updateSyndicate(tx, { id, changes }, await occasionOf(tx, requestId))
      return { status: 200, unchanged, body: { data: syndicateRecord(await showSyndicate(tx, id), origin()) } }
    },
  }),
]

type At = Parameters<typeof syndicatesOfManager>[2]

async function listed({ reads }: WorldDatabase, caller: SyndicateCaller, at: At) {
  const bearer = await bearerOf(reads, caller)
  if ('userId' in bearer) return syndicatesOfManager(reads, bearer.userId, at)
  const { syndicateId } = bearer
  return at.before === null ? [await showSyndicate(reads, syndicateId)] : []
}

const NullableCents = nullable(Type.Integer(), 'In minor units of the currency.')
const Currency = Type.String({ description: 'ISO 4217, in lower case.', examples: ['usd'] })

const SyndicateSchema = exactly(
  {
    id: idOf('syndicate'),
    type: Type.Literal('syndicate'),
    attributes: exactly({
      name: Type.String(),
      slug: Type.String(),
      tagline: NullableText,
      description: NullableText,
      avatar_url: NullableText,
      published: Type.Boolean(),
      launched: Type.Boolean(),
      membership_open: Type.Boolean(),
      syndicate_type: nullable(
        oneOf(['annual_subscription', 'traditional_fund']),
        'Null: the syndicate invests deal by deal.',
      ),
      auto_accept_accredited_members: Type.Boolean(),
      fund_required: Type.Boolean({ description: 'Whether members must invest through the fund.' }),
      annual_subscription: Type.Optional(
        exactly({
          currency: Currency,
          fund_investment_amount_cents: NullableCents,
          deals_per_year: nullable(Type.Integer()),
          amount_per_deal_cents: NullableCents,
        }),
      ),
      traditional_fund: Type.Optional(
        exactly({
          currency: Currency,
          require_minimum_investment: Type.Boolean(),
          minimum_investment_amount_cents: NullableCents,
        }),
      ),
      member_count: Type.Integer(),
      deal_count: Type.Integer({ description: 'The number of deals that are open or closing.' }),
      primary_fund_company: nullable(idOf('company')),
      created_by: nullable(idOf('user')),
      created_at: Time,
      updated_at: Time,
    }),
  },
  'Syndicate',
)

const OneSyndicate = exactly({ data: SyndicateSchema })
const SyndicateList = listOf(SyndicateSchema)

/** The maximum lengths are those of the columns. */
const SyndicateChanges = exactly(
  {
    syndicate: exactly({
      name: Type.Optional(line(200)),
      tagline: Type.Optional(nullable(line(500))),
      description: Type.Optional(nullable(Paragraphs(10_000))),
    }),
  },
  'SyndicateChanges',
)

function syndicateRecord(row: ShownSyndicate, origin: string): Static<typeof SyndicateSchema> {
  const { id, fund, fund_currency, avatar_url, ...rest } = row
  const attributes = {
    ...rest,
    avatar_url: absoluteUrl(origin, avatar_url),
    syndicate_type: fund?.type ?? null,
    ...fundTerms(fund, fund_currency),
  }
  return { id, type: 'syndicate', attributes }
}

/** The terms of a type of fund: "Only if syndicate_type is this one." */
function fundTerms(fund: Fund | null, currency: string) {
  switch (fund?.type) {
    case undefined:
      return {}
    case 'annual_subscription':
      return {
        annual_subscription: {
          currency,
          fund_investment_amount_cents: fund.fund_investment_amount_cents ?? null,
          deals_per_year: fund.deals_per_year ?? null,
          amount_per_deal_cents: fund.amount_per_deal_cents ?? null,
        },
      }
    case 'traditional_fund':
      return {
        traditional_fund: {
          currency,
          require_minimum_investment: fund.require_minimum_investment,
          minimum_investment_amount_cents: fund.minimum_investment_amount_cents ?? null,
        },
      }
  }
}

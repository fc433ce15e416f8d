import { type Static, Type } from 'typebox'
import { heldBy } from '#http/access.ts'
import { OLDER_VERSIONS_ONLY } from '#http/openapi-schemas.ts'
import { listOf, page, pagePlaces, pageQuery, pageSize } from '#http/pagination.ts'
import { absoluteUrl } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import { time } from '#http/schema-fields.ts'
import type { VersionStep } from '#http/version-steps.ts'
import { inAttributes, withCountedCursor, withLegacyIds, without } from '#http/version-steps.ts'
import type { Behaviour } from '#http/versions.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { type Id, idPattern } from '#kernel/ids.ts'
import { parseCents, wholeUnits } from '#kernel/money.ts'
import type { OfferingState } from '#market/offerings/index.ts'
import { type CampaignRow, campaignRows, type Whose, whoseCampaigns } from './store.ts'

export type CampaignRouteDeps = { readonly cursors: CursorSealer; readonly origin: () => string }

/** A cursor is valid for the list of one user or company only. */
const kindOf = (whose: Whose) => ({
  kind: `campaigns/${'user' in whose ? whose.user : whose.company}`,
  version: 1,
})

export const campaignRoutes = ({ cursors, origin }: CampaignRouteDeps): Route[] => [
  route({
    operation: 'listCampaigns',
    method: 'GET',
    path: '/campaigns',
    summary: 'List campaigns',
    description:
      'Returns the campaigns of the companies that the user helps to run, or of the company on which the app is installed.',
    tag: 'Campaigns',
    access: heldBy(['user', 'installation'], 'read:companies', 'read:campaigns'),
    schema: { query: Type.Object(pageQuery()), response: { 200: listOf(CampaignSchema) } },
    handler: async ({ db, caller, query, behaviour }) => {
      const whose = await whoseCampaigns(db.reads, caller)
      const size = pageSize(query.per_page)
      const places = pagePlaces(cursors, behaviour.pageCursors, kindOf(whose))
      const { after, skip } = places.open(query.cursor)
      const place = after === null ? null : String(after[0])
      const rows = await campaignRows(db.reads, whose, { after: place, skip, limit: size + 1 })
      const body = page({
        rows,
        size,
        item: (row) => campaignRecord(row, { origin: origin(), integerIds: behaviour.integerIds }),
        next: ({ id }) => places.next([id], skip + size),
      })
      return { status: 200, body }
    },
  }),
]

/** In this list an open offering is `active`; all other states have the offering's own names. */
const STATES = {
  upcoming: 'upcoming',
  open: 'active',
  closing: 'closing',
  closed: 'closed',
  canceled: 'canceled',
} as const satisfies Record<OfferingState, string>

type CampaignState = (typeof STATES)[OfferingState]

/** For older versions: a version step replaces `id` by this integer. */
const LegacyId = Type.Integer({ [OLDER_VERSIONS_ONLY]: true })
const Time = time()
const OrNull = (type: string, description: string) => ({ type: [type, 'null'], description })

/**
 * A campaign is an offering as the team that raises the money sees it, with the offering's id. In older versions the id is an integer.
 * The amount is a number in whole units in all versions.
 */
const CampaignSchema = Type.Object(
  {
    id: Type.Unsafe<Id<'offering'>>(
      Type.String({ pattern: idPattern('offering'), description: 'The offering’s id: see GET /offerings/{id}.' }),
    ),
    type: Type.Literal('campaign'),
    attributes: Type.Object(
      {
        legacy_id: Type.Optional(LegacyId),
        state: Type.Unsafe<CampaignState>(
          Type.Enum(Object.values(STATES), {
            type: 'string',
            description: '`active` accepts investments, or reservations if it tests the waters.',
          }),
        ),
        testing_the_waters: Type.Boolean({
          description:
            'True: people reserve here and do not invest, so the amount raised is the sum of the reservations.',
        }),
        company: Type.Unsafe<Id<'company'>>(Type.String({ pattern: idPattern('company') })),
        company_name: Type.String(),
        company_url: Type.Unsafe<string | null>(OrNull('string', 'The last part of the URL of the company’s page.')),
        url: Type.String({
          format: 'uri',
          description: 'The company’s page. Link to it wherever you show the campaign.',
        }),
        currency: Type.String({ description: 'ISO 4217, in lower case.', examples: ['usd'] }),
        amount_raised: Type.Integer({ description: 'Raised in this offering only. In whole units of the currency.' }),
        amount_raised_cents: Type.Integer({ description: 'amount_raised in minor units of the currency.' }),
        funding_target: Type.Unsafe<number | null>(OrNull('integer', 'In whole units of the currency.')),
        funding_target_cents: Type.Unsafe<number | null>(
          OrNull('integer', 'funding_target in minor units of the currency.'),
        ),
        investor_count: Type.Integer({ minimum: 0, description: 'The number of investors, each counted once.' }),
        created_at: Time,
        updated_at: Time,
        closed_at: Type.Unsafe<string | null>({ ...Time, type: ['string', 'null'] }),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'Campaign', additionalProperties: false },
)

type Shown = { readonly origin: string; readonly integerIds: Behaviour['integerIds'] }

function campaignRecord(row: CampaignRow, { origin, integerIds }: Shown): Static<typeof CampaignSchema> {
  return {
    id: row.id,
    type: 'campaign',
    attributes: {
      ...(integerIds === 'shown' ? { legacy_id: Number(row.legacy_id) } : {}),
      state: STATES[row.status],
      testing_the_waters: row.testing_the_waters,
      company: row.company_id,
      company_name: row.company_name,
      company_url: row.slug,
      url: absoluteUrl(origin, row.page_url),
      currency: row.currency,
      amount_raised: unitsOf(row.raised_cents) ?? 0,
      amount_raised_cents: parseCents(row.raised_cents) ?? 0,
      funding_target: unitsOf(row.funding_target_cents),
      funding_target_cents: parseCents(row.funding_target_cents),
      investor_count: row.investor_count,
      created_at: row.created_at,
      updated_at: row.updated_at,
      closed_at: row.closed_at,
    },
  }
}

function unitsOf(cents: string | null): number | null {
  const amount = parseCents(cents)
  return amount === null ? null : wholeUnits(amount)
}

export const CAMPAIGN_STEPS: readonly VersionStep[] = [
  {
    name: 'sealed cursors of campaigns',
    before: '2026-11-01',
    operations: ['listCampaigns'],
    response: withCountedCursor,
  },
  {
    name: 'campaigns in minor units, with ids of their own',
    before: '2026-11-01',
    operations: ['listCampaigns'],
    response: (body) =>
      withLegacyIds(inAttributes(body, (row) => without(row, 'amount_raised_cents', 'funding_target_cents'))),
  },
]

import { Type } from 'typebox'
import { heldBy } from '#http/access.ts'
import { pagePlaces } from '#http/page-places.ts'
import { listOf, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { CampaignSchema, campaignRecord } from './campaign-record.ts'
import { campaignRows } from './campaign-store.ts'
import { type Whose, whoseCampaigns } from './whose-campaigns.ts'

export type CampaignRouteDeps = { readonly cursors: CursorSealer; readonly origin: () => string }

/** A cursor is a place in one list: in that of another user or company it means nothing. */
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

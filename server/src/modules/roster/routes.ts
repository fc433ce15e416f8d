import { Type } from 'typebox'
import { heldBy } from '#http/access.ts'
import { listOf, pageQuery } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { idOf } from '#modules/catalog/http.ts'
import { FundraiseSchema } from './fundraises/fundraise-record.ts'
import { listFundraises } from './fundraises/list-fundraises.ts'
import { InvestorSchema } from './investors/investor-schema.ts'
import { listInvestors } from './investors/list-investors.ts'
import { requireRunning } from './runs-company.ts'

export type RosterRouteDeps = { readonly cursors: CursorSealer }

const access = heldBy(['user', 'installation'], 'read:companies')
const params = Type.Object({ company_id: idOf('company') })
const query = Type.Object(pageQuery())
const tag = 'Companies'

/** What those who help to run a company see of it. */
export const rosterRoutes = ({ cursors }: RosterRouteDeps): Route[] => [
  route({
    operation: 'listCompanyInvestors',
    method: 'GET',
    path: '/companies/:company_id/investors',
    summary: 'List company investors',
    description: 'Returns a company’s roster: every investor with an investment or a reservation, and their total.',
    tag,
    access,
    schema: { params, query, response: { 200: listOf(InvestorSchema) } },
    handler: async ({ db, caller, params: { company_id }, query: asked }) => {
      await requireRunning(db.reads, caller, company_id)
      const pii = caller.scopes.has('read:investors:pii')
      const self = caller.kind === 'user' ? caller.userId : null
      return { status: 200, body: await listInvestors(cursors, db.reads, company_id, { ...asked, pii, self }) }
    },
  }),
  route({
    operation: 'listCompanyFundraises',
    method: 'GET',
    path: '/companies/:company_id/fundraises',
    summary: 'List company fundraises',
    description: 'Returns a company’s rounds and SPVs, newest first.',
    tag,
    access,
    schema: { params, query, response: { 200: listOf(FundraiseSchema) } },
    handler: async ({ db, caller, params: { company_id }, query: asked }) => {
      await requireRunning(db.reads, caller, company_id)
      return { status: 200, body: await listFundraises(cursors, db.reads, company_id, asked) }
    },
  }),
]

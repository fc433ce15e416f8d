import { heldBy } from '#http/access.ts'
import { pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { StoredJson } from '#http/stored-json.ts'
import type { Behaviour } from '#http/versions.ts'
import { boundNumbers } from '#system/crypto/bound-numbers.ts'
import { fixedSealer } from '#system/crypto/fixed-sealer.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { type Audience, audienceLookup, type LedgerCaller } from './audience.ts'
import { companyChanges } from './company-changes.ts'
import { keptCursors } from './cursors.ts'
import { getInvestment } from './get-investment.ts'
import { listInvestments } from './list-investments.ts'
import { offeringStats } from './offering-stats.ts'
import type { TextPage } from './page-text.ts'
import {
  ChangeList,
  ChangesQuery,
  CompanyId,
  InvestmentId,
  InvestmentList,
  InvestmentsQuery,
  OfferingId,
  OfferingStats,
  OneInvestment,
} from './schemas.ts'

export type LedgerRouteDeps = { readonly keys: Keyring }

const access = heldBy(['user', 'installation'], 'read:investments')
const tag = 'Investments'

export function ledgerRoutes({ keys }: LedgerRouteDeps): Route[] {
  const sealing = keys('ledger-cursors')
  const cursorsFor = keptCursors({ places: fixedSealer(sealing), positions: boundNumbers(sealing) })
  const audienceOf = audienceLookup()
  return [
    route({
      operation: 'listInvestments',
      errors: [404, 410],
      method: 'GET',
      path: '/investments',
      summary: 'List investments',
      description: 'Returns the investments that the token can see. List them once, then sync from the cursor.',
      tag,
      access,
      schema: { query: InvestmentsQuery, response: { 200: InvestmentList } },
      handler: async ({ db, caller, query, behaviour }) => {
        const reading = reader(await audienceOf(db, caller), caller, behaviour)
        const size = pageSize(query.per_page)
        const cursors = cursorsFor({ route: 'investments', world: db.world }, reading)
        const { data, meta } = await listInvestments(db, { ...reading, size, cursors, query })
        return { status: 200, body: pageBody(data, meta) }
      },
    }),
    route({
      operation: 'getInvestment',
      method: 'GET',
      path: '/investments/:id',
      summary: 'Get an investment',
      description: 'Returns the published record of an investment as of now.',
      tag,
      access,
      schema: { params: InvestmentId, response: { 200: OneInvestment } },
      handler: async ({ db, caller, params: { id }, behaviour }) => {
        const reading = reader(await audienceOf(db, caller), caller, behaviour)
        const { data, meta } = await getInvestment(db.reads, reading, id)
        return { status: 200, body: new StoredJson(`{"data":${data},"meta":${JSON.stringify(meta)}}`) }
      },
    }),
    route({
      operation: 'listCompanyInvestmentChanges',
      errors: [410],
      method: 'GET',
      path: '/companies/:company_id/investments/changes',
      summary: 'List company investment changes',
      description:
        'Returns the investments of one company: all of them on the first pass, then what changed since the cursor.',
      tag,
      access: heldBy(['user', 'installation'], 'read:investments', 'read:companies'),
      schema: { params: CompanyId, query: ChangesQuery, response: { 200: ChangeList } },
      handler: async ({ db, caller, params: { company_id }, query, behaviour }) => {
        const reading = reader(await audienceOf(db, caller), caller, behaviour)
        const own = cursorsFor({ route: `changes/${company_id}`, world: db.world }, reading)
        const asked = { ...reading, size: pageSize(query.per_page), cursors: own, query }
        const { data, meta } = await companyChanges(db, asked, company_id)
        return { status: 200, body: pageBody(data, { ...meta, company_id }) }
      },
    }),
    route({
      operation: 'getOfferingStats',
      method: 'GET',
      path: '/offerings/:id/stats',
      summary: 'Get offering statistics',
      description: 'Returns how many investments an offering has and their total amount, by status, as published.',
      tag,
      access,
      schema: { params: OfferingId, response: { 200: OfferingStats } },
      handler: async ({ db, caller, params: { id } }) => {
        return { status: 200, body: await offeringStats(db.reads, await audienceOf(db, caller), id) }
      },
    }),
  ]
}

/** Who reads, and in which words they are told. */
function reader(audience: Audience, { scopes }: LedgerCaller, { republishedReason }: Behaviour) {
  return { audience, pii: scopes.has('read:investors:pii'), republished: republishedReason }
}

const BEFORE_DATA = Buffer.from('{"data":[')

function pageBody(data: TextPage['data'], meta: object): StoredJson {
  return new StoredJson([BEFORE_DATA, data, Buffer.from(`],"meta":${JSON.stringify(meta)}}`)])
}

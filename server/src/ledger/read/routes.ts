import { heldBy } from '#http/access.ts'
import { pageSize } from '#http/pagination.ts'
import { StoredJson } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import type { Behaviour } from '#http/versions.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { type Audience, audienceLookup, type LedgerCaller } from './audience.ts'
import { rejectChangedAccess, rejectOld } from './cursor-expiry.ts'
import { cachedCursors, cursorSealers, type SyncPlace } from './cursors.ts'
import { mayKnowCompany, mayKnowOffering } from './known-store.ts'
import { readFilters, readUpdatedSince, rejectStatusWithSync } from './list-request.ts'
import { placeAtTime } from './page-store.ts'
import { getInvestment, listRecords, type Reading, syncRecords, type TextPage } from './read-ledger.ts'
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
import { findFigures, type OfferingFigures } from './store.ts'

export type LedgerRouteDeps = { readonly keys: Keyring }

const access = heldBy(['user', 'installation'], 'read:investments')
const tag = 'Investments'

export function ledgerRoutes({ keys }: LedgerRouteDeps): Route[] {
  const cursorsFor = cachedCursors(cursorSealers(keys))
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
      description:
        'Returns the current record of an investment. `published_matches` says whether lists and sync already show this state.',
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
        'Returns the investments of one company. Without a cursor it lists those that the token can see; with the cursor of the last page it returns those that changed since.',
      tag,
      access: heldBy(['user', 'installation'], 'read:investments', 'read:companies'),
      schema: { params: CompanyId, query: ChangesQuery, response: { 200: ChangeList } },
      handler: async ({ db, caller, params: { company_id }, query, behaviour }) => {
        const reading = reader(await audienceOf(db, caller), caller, behaviour)
        const own = cursorsFor({ route: `changes/${company_id}`, world: db.world }, reading)
        const request = { ...reading, size: pageSize(query.per_page), cursors: own, query }
        const { data, meta } = await companyChanges(db, request, company_id)
        return { status: 200, body: pageBody(data, { ...meta, company_id }) }
      },
    }),
    route({
      operation: 'getOfferingStats',
      method: 'GET',
      path: '/offerings/:id/stats',
      summary: 'Get offering statistics',
      description:
        'Returns the number and the amounts of an offering’s investments by status, as published. Only investments that the company sees count.',
      tag,
      access,
      schema: { params: OfferingId, response: { 200: OfferingStats } },
      handler: async ({ db, caller, params: { id } }) => {
        return { status: 200, body: await offeringStats(db.reads, await audienceOf(db, caller), id) }
      },
    }),
  ]
}

/** The reader, and the word of its API version for the reason `recomputed`. */
function reader(audience: Audience, { scopes }: LedgerCaller, { republishedReason }: Behaviour) {
  return { audience, pii: scopes.has('read:investors:pii'), republished: republishedReason }
}

const BEFORE_DATA = Buffer.from('{"data":[')

function pageBody(data: TextPage['data'], meta: object): StoredJson {
  return new StoredJson([BEFORE_DATA, data, Buffer.from(`],"meta":${JSON.stringify(meta)}}`)])
}

/**
 * "Same feed for one company; 403 if the user cannot edit it." A user who edits the company and has invested in it sees
 * their own investment with the rights of an investor. Only a change of their access to this company makes them list
 * again.
 */
async function companyChanges(
  db: WorldDatabase,
  request: Omit<Reading, 'filters'> & { readonly query: { readonly cursor?: string; readonly updated_since?: string } },
  company: Id<'company'>,
): Promise<TextPage> {
  const { audience } = request
  if (!couldRead(audience, company)) throw await refusal(db, audience, company)
  const reading: Reading = {
    ...request,
    filters: { company },
    accessTo: 'requested',
    // `edits` is from the same moment as the rows.
    inspect: async ({ edits }) => {
      if (!edits) throw await refusal(db, audience, company)
    },
  }
  const { cursor, updated_since } = request.query
  const since = updated_since === undefined ? undefined : readUpdatedSince(updated_since)
  const opened = cursor === undefined ? null : request.cursors.open(cursor)
  if (opened?.mode === 'sync') return syncRecords(db, reading, opened.place)
  if (opened !== null || since === undefined) return listRecords(db, reading, opened?.place ?? null)
  return syncRecords(db, reading, await placeSince(db, audience, since, company))
}

/**
 * An installation token of a user's own connection reads no company. An installation on a company reads only that
 * company.
 */
function couldRead(audience: Audience, company: Id<'company'>): boolean {
  return audience.kind === 'company' ? audience.company === company : audience.kind === 'union'
}

async function refusal(db: WorldDatabase, audience: Audience, company: Id<'company'>) {
  return (await mayKnowCompany(db.reads, audience, company))
    ? notEdited('Only people who edit a company can read its investments.')
    : notFound(`${company} is hidden from this caller`)
}

/**
 * "Count and committed amount by status over founder-visible published records (reconciles with
 * `GET /investments?offering_id=`)." For editors of the offering's company.
 */
export async function offeringStats(
  queries: WorldQueries,
  audience: Audience,
  offering: Id<'offering'>,
): Promise<StoredJson> {
  const figures = await findFigures(queries, offering, audience.kind === 'company' ? null : audience.user)
  if (figures === null) throw notFound(`${offering} is unknown`)
  if (!mayRead(audience, figures)) {
    throw (await mayKnowOffering(queries, audience, offering))
      ? notEdited('Only people who edit the offering’s company can read these figures.')
      : notFound(`${offering} is hidden from this caller`)
  }
  const { company, currency, byStatus, total, publishedThrough } = figures
  // As text, because sums of many amounts can exceed a safe integer.
  const data = `{"offering":"${offering}","company":"${company}","currency":"${currency}","by_status":${byStatus},"total":${total}}`
  const meta = JSON.stringify({ source: 'published', published_through: publishedThrough })
  return new StoredJson(`{"data":${data},"meta":${meta}}`)
}

function mayRead(audience: Audience, { company, edits }: OfferingFigures): boolean {
  return audience.kind === 'company' ? company === audience.company : audience.kind === 'union' && edits
}

/** "Scope held, but no permission on that resource or token bound to another resource." */
function notEdited(message: string): ApiError {
  return new ApiError('forbidden', {
    public: message,
    remediation: 'Use a token of a founder, admin or editor of the company, or of an installation on the company.',
  })
}

type InvestmentsRequest = Omit<Reading, 'filters'> & { readonly query: InvestmentsQuery }

/** "Modes: list (no cursor, no updated_since), sync by cursor, sync by time"; "if cursor also given, cursor wins". */
async function listInvestments(db: WorldDatabase, request: InvestmentsRequest): Promise<TextPage> {
  const { query } = request
  const since = query.updated_since === undefined ? undefined : readUpdatedSince(query.updated_since)
  const opened = query.cursor === undefined ? null : request.cursors.open(query.cursor)
  const reading: Reading = { ...request, filters: readFilters(query) }
  if (opened?.mode === 'list') return listRecords(db, reading, opened.place)
  if (opened === null && since === undefined) return listRecords(db, reading, null)
  rejectStatusWithSync(reading.filters)
  const place = opened === null ? await placeSince(db, request.audience, since ?? 0, null) : opened.place
  return syncRecords(db, reading, place)
}

/**
 * "Sync by time: equals a cursor at the ledger position 60 seconds before that time." A user who has become an editor
 * since then gets everything, because the company's older records are new to them. A user who is no longer an editor
 * must delete their copy. `company`: the only company to which changes of access count; null if all companies count.
 */
async function placeSince(
  db: WorldDatabase,
  audience: Audience,
  since: number,
  company: Id<'company'> | null,
): Promise<SyncPlace> {
  const user = audience.kind === 'union' ? audience.user : null
  const { place, now, gained, lost } = await placeAtTime(db.reads, since, { user, company })
  rejectOld(since, now)
  rejectChangedAccess(place.position, lost)
  return gained > place.position ? { ...place, position: 0 } : place
}

import type { Static } from 'typebox'
import { publicRead } from '#http/access.ts'
import { shortListPage } from '#http/pagination.ts'
import { absoluteUrl } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf } from '#http/schema-fields.ts'
import type { Behaviour } from '#http/versions.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { StaleReads, WorldDatabase, WorldReads } from '#system/postgres/database.ts'
import { type CompanyPageDeps, companyPageRoutes } from './company-page-routes.ts'
import { type CompanyView, companyRecord, currentRaise } from './company-record.ts'
import { findShownCompany, investorsOfLegs, reportedRounds, shownRounds } from './company-store.ts'
import {
  conditional,
  conditionalUndated,
  fetchedAt,
  responseCache,
  type TaggedBody,
  taggedBody,
} from './conditional.ts'
import { type ExploreDeps, offeringLister } from './list-offerings.ts'
import { offeringRecord } from './offering-record.ts'
import { findShownOffering } from './offering-store.ts'
import { ExploreList, ExploreQuery, NOT_MODIFIED, OneCompany, OneOffering } from './schemas.ts'
import {
  BEST_RESULTS,
  QUERY_BYTES_MAX,
  QUERY_CHARS_MAX,
  RESULTS_DEFAULT,
  RESULTS_MAX,
  ranked,
  SearchQuery,
  SearchResults,
} from './search.ts'
import { type Candidate, findCandidates } from './search-store.ts'
import { catalogRevision, readView, type Viewer, viewerOf } from './store.ts'

export type CatalogDeps = ExploreDeps & CompanyPageDeps

/** A response is the public view (read:public) or the user's own view (read:explore), never a mix of the two. */
const access = publicRead('read:public', 'read:explore')

export function catalogRoutes(deps: CatalogDeps): Route[] {
  return [exploreRoute(deps), offeringRoute(deps), ...companyRoutes(deps), ...companyPageRoutes(deps)]
}

function exploreRoute(deps: CatalogDeps): Route {
  const listOfferings = offeringLister(deps)
  return route({
    operation: 'listOfferings',
    method: 'GET',
    path: '/explore',
    summary: 'List open offerings',
    description:
      'The catalogue of open offerings: one public offering of each company and, for an accredited user with read:explore, every offering for accredited investors.',
    tag: 'Catalogue',
    access,
    schema: { query: ExploreQuery, response: { 200: ExploreList, 304: NOT_MODIFIED } },
    stale: 'ok',
    ahead: catalogRevision,
    handler: async ({ db, staleReads, caller, query, behaviour, header, ahead: revision }) => {
      const viewer = await viewerOf(db.reads, caller)
      const request = { viewer, query, cursorsAre: behaviour.pageCursors, revision, staleReads }
      const [result, fetchedAtMs] = await Promise.all([listOfferings(db, request), fetchedAt(db, deps.clock)])
      return conditional(result, { fetchedAtMs, behaviour, header })
    },
  })
}

function offeringRoute(deps: CatalogDeps): Route {
  const showOffering = offeringShower(deps.origin)
  return route({
    operation: 'getOffering',
    method: 'GET',
    path: '/offerings/:id',
    summary: 'Get an offering',
    description: 'Returns one offering with its terms, its dates and the amount raised.',
    tag: 'Catalogue',
    access,
    schema: {
      params: exactly({ id: idOf('offering') }),
      response: { 200: OneOffering, 304: NOT_MODIFIED },
    },
    stale: 'ok',
    ahead: catalogRevision,
    handler: async ({ db, staleReads, caller, params: { id }, behaviour, header, ahead: revision }) => {
      const viewer = await viewerOf(db.reads, caller)
      const result = await showOffering(db, { viewer, id, revision, staleReads })
      if (result === null) throw notFound(`${id} is unknown or not shown`)
      return conditional(result, { fetchedAtMs: await fetchedAt(db, deps.clock), behaviour, header })
    },
  })
}

const companyRoutes = (deps: CatalogDeps): Route[] => [
  route({
    operation: 'searchCompanies',
    method: 'GET',
    path: '/companies/search',
    summary: 'Search companies by name',
    description: 'Returns the companies whose name matches the query, best match first.',
    tag: 'Catalogue',
    access,
    schema: { query: SearchQuery, response: { 200: SearchResults, 304: NOT_MODIFIED } },
    stale: 'ok',
    handler: async ({ db, staleReads, caller, query, behaviour, header }) => {
      const viewer = await viewerOf(db.reads, caller)
      const view = { db, staleReads, viewer, revision: () => catalogRevision(db) }
      const { cursors } = deps
      const request = { viewer, query, results: behaviour.searchResults, cursors, origin: deps.origin() }
      const body = await readView(view, (from) => searchCompanies(from, request))
      // The same cursor is sealed to another text each time, so the tag must not depend on it.
      const { next_cursor: _sealed, ...meta } = body.meta
      return conditionalUndated(body, [body.data, meta], { behaviour, header })
    },
  }),
  route({
    operation: 'getCompany',
    method: 'GET',
    path: '/companies/:id',
    summary: 'Get a company',
    description:
      'Returns a company with the rounds that the caller may see, and the sums that the company raised in them.',
    tag: 'Catalogue',
    access,
    schema: { params: exactly({ id: idOf('company') }), response: { 200: OneCompany, 304: NOT_MODIFIED } },
    stale: 'ok',
    handler: async ({ db, staleReads, caller, params: { id }, behaviour, header }) => {
      const viewer = await viewerOf(db.reads, caller)
      const view = { db, staleReads, viewer, revision: () => catalogRevision(db) }
      const company = await readView(view, (from) => viewCompany(from, viewer, id))
      if (company === null) throw notFound(`${id} is unknown or not shown`)
      const data = companyRecord(company, deps.origin())
      const fetchedAtMs = await fetchedAt(db, deps.clock)
      return conditional(taggedBody({ data, meta: {} }, data), { fetchedAtMs, behaviour, header })
    },
  }),
]

/** A company for this viewer; null if they may not see it. */
async function viewCompany(db: WorldReads, viewer: Viewer, id: Id<'company'>): Promise<CompanyView | null> {
  const [company, rounds, reported] = await Promise.all([
    findShownCompany(db, viewer, id),
    shownRounds(db, viewer, id),
    reportedRounds(db, id),
  ])
  if (company === null) return null
  const raise = currentRaise(rounds)
  return { company, rounds, reported, raise: raise && { ...raise, investors: await investorsOfLegs(db, raise.legs) } }
}

/** A cached offering takes about 1.5 kB, so all of them take about 30 MB. */
const CACHED_OFFERINGS_MAX = 20_000

type Wanted = {
  readonly viewer: Viewer
  readonly id: Id<'offering'>
  /** The revision of the catalogue, read after the request arrived. */
  readonly revision: Promise<string>
  readonly staleReads: StaleReads
}

/**
 * Returns an offering as text; null if this viewer may not see it. Public texts are read once for each revision of the
 * catalogue. Texts of an earlier revision are not served, so an offering that became private is not shown.
 */
function offeringShower(origin: () => string) {
  const cache = responseCache<TaggedBody | null>(CACHED_OFFERINGS_MAX)
  return async (db: WorldDatabase, { viewer, id, revision, staleReads }: Wanted): Promise<TaggedBody | null> => {
    const read = async () => {
      const view = { db, staleReads, viewer, revision: () => revision }
      const row = await readView(view, (from) => findShownOffering(from, viewer, id))
      if (row === null) return null
      const data = offeringRecord(row, origin())
      return taggedBody({ data, meta: {} }, data)
    }
    return viewer === null ? cache.get(`${db.world} ${id}`, await revision, read) : read()
  }
}

type Results = Static<typeof SearchResults>

type ListRequest = {
  readonly viewer: Viewer
  readonly query: Static<typeof SearchQuery>
  readonly results: Behaviour['searchResults']
  readonly cursors: CursorSealer
  readonly origin: string
}

/** The companies whose names match best among those that this viewer can see: "the best 200", page by page. */
async function searchCompanies(db: WorldReads, request: ListRequest): Promise<Results> {
  const { viewer, query, results, cursors, origin } = request
  const { q, cursor } = query
  rejectUnsearchable(q)
  const per_page = results === 'limited' ? readLimit(query.limit) : query.per_page
  const { data, meta } = shortListPage({
    ...{ query: { per_page, cursor }, lists: 'paged', cursors },
    // A cursor is valid only for the same search, because it is a place in the ranking of that search.
    kind: { kind: `search/${db.world}/${q}`, version: 1 },
    rows: ranked(await findCandidates(db, viewer, q)).slice(0, BEST_RESULTS),
    place: ({ place }) => place,
    item: ({ company }) => resultOf(company, origin),
  })
  return { data, meta: { ...meta, query: q, count: data.length } }
}

/** "limit: 1 to 20, default 8", in older versions. */
function readLimit(limit: string | undefined): number {
  if (limit === undefined) return RESULTS_DEFAULT
  const count = /^\d{1,3}$/.test(limit) ? Number(limit) : 0
  if (count >= 1 && count <= RESULTS_MAX) return count
  throw new ApiError('invalid_request', { public: `limit must be a whole number from 1 to ${RESULTS_MAX}.` })
}

/** "At most 200 characters and 500 bytes". Characters are Unicode code points, not UTF-16 units. */
function rejectUnsearchable(q: string): void {
  if (q.trim() === '') throw unsearchable('is blank: send a name or the start of a name')
  if ([...q].length > QUERY_CHARS_MAX) throw unsearchable(`has more than ${QUERY_CHARS_MAX} characters`)
  if (Buffer.byteLength(q) > QUERY_BYTES_MAX) throw unsearchable(`has more than ${QUERY_BYTES_MAX} bytes`)
}

function unsearchable(why: string): ApiError {
  return new ApiError('invalid_request', { public: `q ${why}.` })
}

function resultOf({ id, name, tagline, page_url, logo_url, raising }: Candidate, origin: string) {
  const url = absoluteUrl(origin, page_url)
  const attributes = {
    name,
    tagline,
    url,
    logo_url: absoluteUrl(origin, logo_url),
    raising,
    profile_available: true,
  }
  return { id, type: 'company' as const, attributes }
}

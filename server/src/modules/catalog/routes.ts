import { publicRead } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { notFound } from '#kernel/errors.ts'
import { companyRecord } from './company/company-record.ts'
import { OneCompany } from './company/company-schema.ts'
import { viewCompany } from './company/view-company.ts'
import { conditional, conditionalUndated, toldOf } from './conditional.ts'
import { ExploreList, ExploreQuery } from './explore/explore-query.ts'
import { type ExploreDeps, offeringLister } from './explore/list-offerings.ts'
import { fetchedAt } from './fetched-at.ts'
import { OneOffering } from './offering/offering-schema.ts'
import { offeringShower } from './offering/show-offering.ts'
import { type CompanyPageDeps, companyPageRoutes } from './page/routes.ts'
import { catalogRevision } from './revision-store.ts'
import { exactly, idOf, NOT_MODIFIED } from './schemas.ts'
import { searchCompanies } from './search/search-companies.ts'
import { SearchQuery, SearchResults } from './search/search-schema.ts'
import { viewerOf } from './viewer.ts'

export type CatalogDeps = ExploreDeps & CompanyPageDeps

/** Everybody's view with read:public, the user's own with read:explore; each answer is one of the two as a whole. */
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
    description: 'The catalogue of open offerings, with one offering for each company.',
    tag: 'Catalogue',
    access,
    schema: { query: ExploreQuery, response: { 200: ExploreList, 304: NOT_MODIFIED } },
    ahead: catalogRevision,
    handler: async ({ db, caller, query, behaviour, header, ahead: revision }) => {
      const asked = { viewer: await viewerOf(db.reads, caller), query, cursorsAre: behaviour.pageCursors, revision }
      const [told, fetchedAtMs] = await Promise.all([listOfferings(db, asked), fetchedAt(db, deps.clock)])
      return conditional(told, { fetchedAtMs, behaviour, header })
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
    description: 'Returns one offering with its terms, its dates and what it raised.',
    tag: 'Catalogue',
    access,
    schema: {
      params: exactly({ id: idOf('offering') }),
      response: { 200: OneOffering, 304: NOT_MODIFIED },
    },
    ahead: catalogRevision,
    handler: async ({ db, caller, params: { id }, behaviour, header, ahead: revision }) => {
      const told = await showOffering(db, { viewer: await viewerOf(db.reads, caller), id, revision })
      if (told === null) throw notFound(`${id} is unknown or not shown`)
      return conditional(told, { fetchedAtMs: await fetchedAt(db, deps.clock), behaviour, header })
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
    handler: async ({ db, caller, query, behaviour, header }) => {
      const viewer = await viewerOf(db.reads, caller)
      const { cursors } = deps
      const asked = { viewer, query, results: behaviour.searchResults, cursors, origin: deps.origin() }
      const body = await searchCompanies(db, asked)
      // A cursor is sealed anew each time: the tag must not depend on it.
      const { next_cursor: _sealed, ...meta } = body.meta
      return conditionalUndated(body, [body.data, meta], { behaviour, header })
    },
  }),
  route({
    operation: 'getCompany',
    method: 'GET',
    path: '/companies/:id',
    summary: 'Get a company',
    description: 'Returns a company with its rounds and the amount it raised.',
    tag: 'Catalogue',
    access,
    schema: { params: exactly({ id: idOf('company') }), response: { 200: OneCompany, 304: NOT_MODIFIED } },
    handler: async ({ db, caller, params: { id }, behaviour, header }) => {
      const view = await viewCompany(db, await viewerOf(db.reads, caller), id)
      if (view === null) throw notFound(`${id} is unknown or not shown`)
      const data = companyRecord(view, deps.origin())
      const fetchedAtMs = await fetchedAt(db, deps.clock)
      return conditional(toldOf({ data, meta: {} }, data), { fetchedAtMs, behaviour, header })
    },
  }),
]

import type { Static } from 'typebox'
import { shortListPage } from '#http/pagination.ts'
import type { Behaviour } from '#http/versions.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { absoluteUrl, absoluteUrlOrNull } from '../absolute-url.ts'
import type { Viewer } from '../viewer.ts'
import { ranked } from './rank.ts'
import {
  BEST_RESULTS,
  QUERY_BYTES_MAX,
  QUERY_CHARS_MAX,
  RESULTS_DEFAULT,
  RESULTS_MAX,
  type SearchQuery,
  type SearchResults,
} from './search-schema.ts'
import { type Candidate, findCandidates } from './search-store.ts'

type Results = Static<typeof SearchResults>

export type Asked = {
  readonly viewer: Viewer
  readonly query: Static<typeof SearchQuery>
  readonly results: Behaviour['searchResults']
  readonly cursors: CursorSealer
  readonly origin: string
}

/** The companies this viewer can see whose names fit best: "the best 200", page by page. */
export async function searchCompanies(db: WorldDatabase, asked: Asked): Promise<Results> {
  const { viewer, query, results, cursors, origin } = asked
  const { q, cursor } = query
  refuseUnsearchable(q)
  const per_page = results === 'limited' ? readLimit(query.limit) : query.per_page
  const { data, meta } = shortListPage({
    ...{ query: { per_page, cursor }, lists: 'paged', cursors },
    // A cursor is a place in the ranking of one search.
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

/** "At most 200 characters and 500 bytes"; characters as people count them, not as JavaScript does. */
function refuseUnsearchable(q: string): void {
  if (q.trim() === '') throw unsearchable('is blank: give a name or the beginning of one')
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
    logo_url: absoluteUrlOrNull(origin, logo_url),
    raising,
    profile_available: true,
  }
  return { id, type: 'company' as const, attributes }
}

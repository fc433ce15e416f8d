import type { Static } from 'typebox'
import { wholeList } from '#http/pagination.ts'
import { ApiError } from '#kernel/errors.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { absoluteUrl, absoluteUrlOrNull } from '../absolute-url.ts'
import type { Viewer } from '../viewer.ts'
import { ranked } from './rank.ts'
import {
  QUERY_BYTES_MAX,
  QUERY_CHARS_MAX,
  RESULTS_DEFAULT,
  type SearchQuery,
  type SearchResults,
} from './search-schema.ts'
import { type Candidate, findCandidates } from './search-store.ts'

type Results = Static<typeof SearchResults>

export type Asked = { readonly viewer: Viewer; readonly query: Static<typeof SearchQuery>; readonly origin: string }

/** The companies this viewer can see whose names fit best. */
export async function searchCompanies(db: WorldDatabase, { viewer, query, origin }: Asked): Promise<Results> {
  const { q, limit = RESULTS_DEFAULT } = query
  refuseUnsearchable(q)
  const found = ranked(await findCandidates(db, viewer, q)).slice(0, limit)
  const { data, meta } = wholeList(found.map((company) => resultOf(company, origin)))
  return { data, meta: { ...meta, query: q, count: data.length } }
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

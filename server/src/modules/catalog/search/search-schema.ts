import { Type } from 'typebox'
import { listOf, pageQuery } from '#http/pagination.ts'
import { Count, exactly, idOf, nullable, Text, Url } from '../schemas.ts'

export const QUERY_CHARS_MAX = 200
export const QUERY_BYTES_MAX = 500
export const RESULTS_DEFAULT = 8
export const RESULTS_MAX = 20
/** The result of a search is defined as the best 200. */
export const BEST_RESULTS = 200

export const SearchQuery = Type.Object({
  q: Type.String({
    description: `A name or the beginning of one; a few wrong letters do no harm. At most ${QUERY_CHARS_MAX} characters and ${QUERY_BYTES_MAX} bytes.`,
    examples: ['solar'],
  }),
  // Text, because the newest version ignores it whatever it holds.
  limit: Type.Optional(
    Type.String({
      description: `Versions before 2026-11-01 only, in place of per_page: 1 to ${RESULTS_MAX}, ${RESULTS_DEFAULT} by default.`,
      examples: [String(RESULTS_DEFAULT)],
    }),
  ),
  ...pageQuery(),
})

const SearchResult = exactly(
  {
    id: idOf('company'),
    type: Type.Literal('company'),
    attributes: exactly({
      name: Text,
      tagline: nullable(Text),
      url: Url,
      logo_url: nullable(Url),
      raising: Type.Boolean({ description: 'Whether a round that the viewer sees takes investments or reservations.' }),
      profile_available: Type.Boolean({ description: 'Whether GET /companies/{id} serves it to this viewer.' }),
    }),
  },
  'CompanySearchResult',
)

export const SearchResults = listOf(SearchResult, { query: Text, count: Count })

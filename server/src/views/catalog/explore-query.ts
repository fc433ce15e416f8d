import { type Static, Type } from 'typebox'
import { listOf, pageQuery } from '#http/pagination.ts'
import { oneOf } from '#http/schema-fields.ts'
import { BUSINESS_MODELS, INDUSTRIES } from '#market/companies/index.ts'
import { Count, FETCHED_AT, OfferingSchema, SECURITY_TYPES } from './schemas.ts'

/** "Amount raised descending, earliest close first, latest launch first, investor count descending." */
export const SORTS = ['most_raised', 'closing_soon', 'newest', 'most_investors'] as const
export type Sort = (typeof SORTS)[number]
export const DEFAULT_SORT: Sort = 'most_raised'

/** Above any possible amount of an offering, so a larger filter has the same result. */
const UNITS_MAX = 90_071_992_547_409

const units = (description: string) => Type.Number({ description, minimum: 0, maximum: UNITS_MAX })

const FILTERS = {
  exemption: Type.Optional(
    oneOf(['reg_cf', 'reg_d'], 'Sold under this exemption; `reg_d` includes both of its kinds.'),
  ),
  security: Type.Optional(oneOf(SECURITY_TYPES, 'What is sold: attributes.security.type.')),
  testing_the_waters: Type.Optional(
    Type.Boolean({ description: 'False: rounds that accept investments. True: rounds that accept reservations.' }),
  ),
  max_min_investment: Type.Optional(units('The minimum investment is at most this.')),
  closing_before: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Closes on this day (UTC) or before. Leaves out offerings without a date.',
    }),
  ),
  min_amount_raised: Type.Optional(units('The amount raised is at least this.')),
  industry: Type.Optional(Type.Array(oneOf(INDUSTRIES), { description: 'Any of these.', maxItems: INDUSTRIES.length })),
  business_model: Type.Optional(
    Type.Array(oneOf(BUSINESS_MODELS), { description: 'Any of these.', maxItems: BUSINESS_MODELS.length }),
  ),
  followed: Type.Optional(
    Type.Boolean({ description: 'Whether the user follows the company. Only in the user’s own view (read:explore).' }),
  ),
}

export const ExploreQuery = Type.Object({
  sort: Type.Optional(
    oneOf(SORTS, 'Most raised first (the default), earliest close, latest launch, or most investors first.'),
  ),
  ...FILTERS,
  ...pageQuery(),
})

export const ExploreList = listOf(OfferingSchema, {
  total_count: Count,
  sort: oneOf(SORTS, 'The order applied.'),
  filters: Type.Object(FILTERS, { description: 'The filters applied.', additionalProperties: false }),
  personalized: Type.Optional(Type.Literal(true, { description: 'Only in the user’s own view (read:explore).' })),
  ...FETCHED_AT,
})

const AppliedFilters = Type.Object(FILTERS)
export type Filters = Static<typeof AppliedFilters>
export type ExploreQuery = Static<typeof ExploreQuery>

/** The filters among the parameters. An empty list counts as absent. */
export function filtersOf({ sort: _sort, per_page: _size, cursor: _cursor, ...filters }: ExploreQuery): Filters {
  const { industry, business_model, ...scalars } = filters
  return {
    ...scalars,
    ...(industry === undefined || industry.length === 0 ? {} : { industry: [...new Set(industry)] }),
    ...(business_model === undefined || business_model.length === 0
      ? {}
      : { business_model: [...new Set(business_model)] }),
  }
}

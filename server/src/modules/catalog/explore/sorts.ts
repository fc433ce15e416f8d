/** "Amount raised descending, earliest close first, latest launch first, investor count descending." */
export const SORTS = ['most_raised', 'closing_soon', 'newest', 'most_investors'] as const
export type Sort = (typeof SORTS)[number]
export const DEFAULT_SORT: Sort = 'most_raised'

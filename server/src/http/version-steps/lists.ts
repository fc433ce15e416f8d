import type { VersionStep } from '../version-step.ts'

/**
 * Older clients send `limit` where the newest version has `per_page`. If both are sent, `per_page` wins. Search has a
 * `limit` of its own in older versions, which its route reads.
 */
export const LIST_STEPS: readonly VersionStep[] = [
  {
    name: 'limit as per_page',
    before: '2026-11-01',
    operations: 'all',
    query: (query) => {
      const limit = query.values.get('limit')
      if (limit === undefined || query.values.has('per_page')) return query
      return { ...query, values: new Map([...query.values, ['per_page', limit]]) }
    },
  },
]

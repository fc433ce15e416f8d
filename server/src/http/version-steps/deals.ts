import type { Fields, VersionStep } from '../version-step.ts'

const ONE_OR_MANY = ['listSyndicateDeals', 'getSyndicateDeal', 'closeSyndicateDeal', 'finalizeSyndicateDeal']

/** There was no word for a deal that takes no more and has not paid out. */
export const DEAL_STEPS: readonly VersionStep[] = [
  {
    name: 'deals that are closing',
    before: '2026-11-01',
    operations: ONE_OR_MANY,
    response: (body) => {
      if (!isFields(body)) return body
      const { data } = body
      return { ...body, data: Array.isArray(data) ? data.map(before) : before(data) }
    },
  },
]

function before(deal: unknown): unknown {
  if (!isFields(deal) || !isFields(deal['attributes'])) return deal
  const { attributes } = deal
  return attributes['status'] === 'closing' ? { ...deal, attributes: { ...attributes, status: 'closed' } } : deal
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

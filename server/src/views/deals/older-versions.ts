import {
  each,
  type Fields,
  inAttributes,
  isFields,
  moneyBefore,
  type VersionStep,
  wholeUnitsText,
} from '#http/version-steps.ts'
import { exemptionBefore, securityBefore } from '#market/offerings/http.ts'

/**
 * In older versions amounts of deals were whole units in strings, except the target, which was cents in a string. A closing
 * deal was shown as closed.
 */
export const DEAL_STEPS: readonly VersionStep[] = [
  {
    name: 'deals in minor units',
    before: '2026-11-01',
    operations: ['listSyndicateDeals', 'getSyndicateDeal', 'closeSyndicateDeal', 'finalizeSyndicateDeal'],
    response: (body) => inAttributes(body, dealBefore),
  },
  {
    name: 'investors of deals in minor units',
    before: '2026-11-01',
    operations: ['listSyndicateDealInvestors', 'listSyndicateMemberInvestments'],
    response: (body) => totalsBefore(inAttributes(body, (row) => moneyBefore(row, ['amount'], wholeUnitsText))),
  },
  {
    name: 'statistics of syndicates in minor units',
    before: '2026-11-01',
    operations: ['getSyndicateStatistics'],
    response: (body) => inAttributes(body, statisticsBefore),
  },
]

function dealBefore(attributes: Fields): Fields {
  const { status, exemption, security, investor_breakdown: parts } = attributes
  const inUnits = moneyBefore(attributes, ['amount_raised', 'min_investment', 'max_investment'], wholeUnitsText)
  return {
    ...moneyBefore(inUnits, ['funding_target'], (cents) => (typeof cents === 'number' ? String(cents) : cents)),
    status: status === 'closing' ? 'closed' : status,
    exemption: exemptionBefore(exemption),
    security: securityBefore(security),
    ...(isFields(parts) ? { investor_breakdown: breakdownBefore(parts) } : {}),
  }
}

function breakdownBefore(parts: Fields): Fields {
  const before = (part: unknown) => each(part, (fields) => moneyBefore(fields, ['amount'], wholeUnitsText))
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, before(part)]))
}

const totalBefore = (fields: Fields) => moneyBefore(fields, ['total_amount'], wholeUnitsText)

function totalsBefore(body: unknown): unknown {
  if (!isFields(body) || !isFields(body['meta'])) return body
  const meta = totalBefore(body['meta'])
  if (!('total_by_currency' in meta)) return body
  return { ...body, meta: { ...meta, total_by_currency: each(meta['total_by_currency'], totalBefore) } }
}

function statisticsBefore(attributes: Fields): Fields {
  const before = (fields: Fields) => moneyBefore(fields, ['total_raised'], wholeUnitsText)
  return { ...before(attributes), raised_by_currency: each(attributes['raised_by_currency'], before) }
}

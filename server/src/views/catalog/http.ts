import type { Fields, VersionStep } from '#http/version-steps.ts'
import { decimal, each, inAttributes, moneyBefore, withCountedCursor, without } from '#http/version-steps.ts'
import { exemptionBefore, securityBefore } from '#market/offerings/http.ts'

export { conditional, conditionalUndated, digest, taggedBody } from './conditional.ts'
export { offeringSummaries } from './offering-terms.ts'
export { type CatalogDeps, catalogRoutes } from './routes.ts'
export { Count, ExemptionSchema, FETCHED_AT, NOT_MODIFIED, SecuritySchema, Text, Time, Url } from './schemas.ts'
export { openOfferings } from './search-store.ts'

/**
 * In older versions some field names contained the platform's name, money was a decimal in a string, the exemption was split
 * into parts, and a closing round was shown as closed.
 */
export const COMPANY_STEPS: readonly VersionStep[] = [
  {
    name: 'companies in minor units, without the platform’s name',
    before: '2026-11-01',
    operations: ['getCompany'],
    response: (body) => inAttributes(body, companyBefore),
  },
]

const ROUND_MONEY = ['amount_raised', 'funding_target']
const TOTALS = ['raised_on_platform_all_time', 'profile_total_raised', 'profile_reported_off_platform']

function companyBefore({ current_raise, rounds, past_rounds, totals, ...rest }: Fields): Fields {
  return {
    ...rest,
    current_raise: each(current_raise, (raise) => moneyBefore(raise, ROUND_MONEY, decimal)),
    past_rounds: each(past_rounds, pastRoundBefore),
    wefunder_rounds: each(rounds, roundBefore),
    totals: each(totals, totalsBefore),
  }
}

function roundBefore(round: Fields): Fields {
  return {
    ...moneyBefore(round, ROUND_MONEY, decimal),
    status: round['status'] === 'closing' ? 'closed' : round['status'],
    exemption: exemptionBefore(round['exemption']),
    security: securityBefore(round['security']),
  }
}

function pastRoundBefore(past: Fields): Fields {
  return {
    ...moneyBefore(past, ROUND_MONEY, decimal),
    source: past['source'] === 'platform' ? 'wefunder' : past['source'],
    exemption: exemptionBefore(past['exemption']),
  }
}

function totalsBefore(totals: Fields): Fields {
  const { raised_on_platform_all_time, ...rest } = moneyBefore(totals, TOTALS, decimal)
  return { ...rest, raised_on_wefunder_all_time: raised_on_platform_all_time }
}

/**
 * In older versions an offering's money was a decimal in a string, the exemption was split into parts, an undecided security
 * was null, and a closing round was shown as closed.
 */
export const OFFERING_STEPS: readonly VersionStep[] = [
  {
    name: 'offerings in whole and minor units',
    before: '2026-11-01',
    operations: ['listOfferings', 'getOffering'],
    response: (body) => inAttributes(body, offeringBefore),
  },
  {
    name: 'sealed cursors of the catalogue',
    before: '2026-11-01',
    operations: ['listOfferings'],
    response: withCountedCursor,
  },
]

function offeringBefore(attributes: Fields): Fields {
  const { funding_target_cents, min_investment_cents, amount_raised_cents, security, exemption, status } = attributes
  return {
    ...without(attributes, 'funding_target_cents', 'min_investment_cents', 'amount_raised_cents'),
    funding_target: decimal(funding_target_cents),
    min_investment: decimal(min_investment_cents),
    amount_raised: decimal(amount_raised_cents),
    exemption: exemptionBefore(exemption),
    security: securityBefore(security),
    status: status === 'closing' ? 'closed' : status,
  }
}

import type { Fields, VersionStep } from '../version-step.ts'
import { exemptionBefore } from './exemption.ts'
import { each, inAttributes } from './fields.ts'
import { decimal, moneyBefore, securityBefore } from './money.ts'

/**
 * Names carried the platform's own, money was a decimal in a string, exemptions were taken apart, and a round that is
 * paying out read as closed.
 */
export const COMPANY_STEPS: readonly VersionStep[] = [
  {
    name: 'companies in minor units, without the platform’s name',
    before: '2026-11-01',
    operations: ['getCompany'],
    response: (body) => inAttributes(body, before),
  },
]

const ROUND_MONEY = ['amount_raised', 'funding_target']
const TOTALS = ['raised_on_platform_all_time', 'profile_total_raised', 'profile_reported_off_platform']

function before({ current_raise, rounds, past_rounds, totals, ...rest }: Fields): Fields {
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

import type { Fields, VersionStep } from '../version-step.ts'
import { withCountedCursor } from './counted-cursor.ts'
import { exemptionBefore } from './exemption.ts'
import { inAttributes, without } from './fields.ts'
import { decimal, securityBefore } from './money.ts'

/**
 * Offerings had their money as decimals in strings, the exemption taken apart, no security at all while it was undecided
 * and no word for a round that has stopped taking investments and not paid out.
 */
export const OFFERING_STEPS: readonly VersionStep[] = [
  {
    name: 'offerings in whole and minor units',
    before: '2026-11-01',
    operations: ['listOfferings', 'getOffering'],
    response: (body) => inAttributes(body, before),
  },
  {
    name: 'sealed cursors of the catalogue',
    before: '2026-11-01',
    operations: ['listOfferings'],
    response: withCountedCursor,
  },
]

function before(attributes: Fields): Fields {
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

import { decimal, type Fields, isFields, moneyBefore, wholeUnitsText } from '#http/version-steps.ts'

export { Security } from './security.ts'

/** Older versions show an exemption as three fields: family, subtype (only for 506(b) and 506(c)) and label. */
const TAKEN_APART: Readonly<Record<string, Fields>> = {
  reg_cf: { family: 'reg_cf', subtype: null, label: 'Reg CF' },
  reg_d: { family: 'reg_d', subtype: null, label: 'Reg D' },
  reg_d_506b: { family: 'reg_d', subtype: '506b', label: 'Reg D 506(b)' },
  reg_d_506c: { family: 'reg_d', subtype: '506c', label: 'Reg D 506(c)' },
  reg_a: { family: 'reg_a', subtype: null, label: 'Reg A' },
  reg_s: { family: 'reg_s', subtype: null, label: 'Reg S' },
  ecsp: { family: 'ecsp', subtype: null, label: 'ECSP' },
  other: { family: 'other', subtype: null, label: 'Other' },
}

export function exemptionBefore(exemption: unknown): unknown {
  return typeof exemption === 'string' ? (TAKEN_APART[exemption] ?? exemption) : exemption
}

/** In older versions an undecided security is null, and money in terms is text: with two decimals, or none for whole units. */
export function securityBefore(security: unknown): unknown {
  if (!isFields(security) || security['type'] === null) return null
  const { terms } = security
  if (!isFields(terms)) return security
  return { ...security, terms: moneyBefore(terms, ['valuation_cap', 'pre_money_valuation'], decimalOfTerm) }
}

function decimalOfTerm(cents: unknown): unknown {
  return typeof cents === 'number' && cents % 100 === 0 ? wholeUnitsText(cents) : decimal(cents)
}

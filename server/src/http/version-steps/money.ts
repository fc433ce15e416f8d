import type { Fields } from '../version-step.ts'
import { isFields } from './fields.ts'

/** `1234.50`: how offerings and companies had their money. */
export function decimal(cents: unknown): unknown {
  return typeof cents === 'number' ? (cents / 100).toFixed(2) : cents
}

/** `"5000"`: how syndicates had theirs. Every amount is a whole number of units. */
export function wholeUnitsText(cents: unknown): unknown {
  return typeof cents === 'number' ? (cents / 100).toFixed(0) : cents
}

/** Renames `<name>_cents` to `<name>`, in the form that the older version had. */
export function moneyBefore(fields: Fields, names: readonly string[], form: (cents: unknown) => unknown): Fields {
  const renamed = new Map(names.map((name) => [`${name}_cents`, name]))
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      const name = renamed.get(key)
      return name === undefined ? [key, value] : [name, form(value)]
    }),
  )
}

/** An undecided security was null; terms had their money as decimals without trailing zeros. */
export function securityBefore(security: unknown): unknown {
  if (!isFields(security) || security['type'] === null) return null
  const { terms } = security
  if (!isFields(terms)) return security
  return { ...security, terms: moneyBefore(terms, ['valuation_cap', 'pre_money_valuation'], decimalOfTerm) }
}

function decimalOfTerm(cents: unknown): unknown {
  return typeof cents === 'number' && cents % 100 === 0 ? wholeUnitsText(cents) : decimal(cents)
}

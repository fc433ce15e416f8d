import { closure, INVESTOR_PII, SCOPE_NAMES } from '#access/scopes/index.ts'

export const DETAILS = ['ranges', 'anonymized', 'full'] as const
export type Detail = (typeof DETAILS)[number]

const ANONYMIZED = 'read:attribution:anonymized'
const FULL = 'read:attribution:full'

/** The scopes that show rows of a company instead of ranges. */
export const SHOWING_ROWS: readonly string[] = SCOPE_NAMES.filter((name) => closure([name]).has(ANONYMIZED))

/** `tier`: the tier of the installation. */
export type Granted = { readonly tier: string; readonly scopes: readonly string[] }

/**
 * "On a company installation, turns the company's referral-code ranges into anonymized rows"; "on a founder-tier
 * installation listing it, full rows including investor identity". In other tiers a token with the scope for full rows
 * gets only anonymized rows, because that scope includes the scope for anonymized rows.
 */
export function detailOf({ tier, scopes }: Granted): Detail {
  const scopeSet = closure(scopes)
  if (tier === 'founder' && scopeSet.has(FULL)) return 'full'
  return scopeSet.has(ANONYMIZED) ? 'anonymized' : 'ranges'
}

/** "Investor PII follows the specification's rules on every installation": an email address needs read:investors:pii. */
export function showsAddress({ scopes }: Granted): boolean {
  return closure(scopes).has(INVESTOR_PII)
}

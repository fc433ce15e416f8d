import type { SecurityType } from '#modules/offerings/index.ts'
import type { Decimal } from '../store.ts'
import { times } from '../worth/decimal.ts'
import { shownCents } from '../worth/shown-cents.ts'
import type { Position } from './schemas.ts'

type Terms = Position['attributes']['securities'][number]['terms']

export type Sold = {
  readonly security_type: SecurityType | null
  /** JSON text. */
  readonly security_terms: string | null
}

type TermsTold = {
  readonly share_price?: Decimal | null
  readonly pre_money_valuation?: Decimal | null
  readonly valuation_cap?: Decimal | null
  readonly discount_percent?: Decimal | null
}

/**
 * "Null where not applicable." A share's price is what this part was bought at, where it is known: early birds paid
 * another one than the round's.
 */
export function securityTerms({ security_terms }: Sold, pricePaid: Decimal | null): Terms {
  const told: TermsTold = security_terms === null ? {} : JSON.parse(security_terms)
  return {
    share_price: pricePaid ?? told.share_price ?? null,
    note_cap_cents: inCents(told.valuation_cap),
    note_discount: told.discount_percent ?? null,
    premoney_valuation_cents: inCents(told.pre_money_valuation),
  }
}

function inCents(units: Decimal | null | undefined): number | null {
  return units === null || units === undefined ? null : shownCents(times(100n, units))
}

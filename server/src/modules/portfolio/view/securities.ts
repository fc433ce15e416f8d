import type { Contract } from '#modules/investments/index.ts'
import type { Decimal } from '../store.ts'
import { plainDecimal } from '../worth/decimal.ts'
import { stakeWorth, type Worth } from '../worth/stake-worth.ts'
import { addUp, sharePrice, sharesHeld, shownAmounts } from '../worth/total-worth.ts'
import { labelled } from './labelled.ts'
import type { PositionRow } from './position-store.ts'
import type { Position } from './schemas.ts'
import { securityTerms } from './security-terms.ts'
import { aftermathOf, stakeOf } from './stake-sql-store.ts'

export type ValuedStake = { readonly row: PositionRow; readonly worth: Worth }

export function valued(row: PositionRow): ValuedStake {
  return { row, worth: stakeWorth(stakeOf(row), aftermathOf(row)) }
}

type Security = Position['attributes']['securities'][number]

/**
 * "Splits by security offering and legal owner (early-bird tiers, personal versus entity)." What was bought by the same
 * owner, at the same price and on the same terms is one, however often it was bought.
 */
export function securitiesOf(stakes: readonly ValuedStake[]): Security[] {
  return [...Map.groupBy(stakes, ({ row }) => JSON.stringify(partOf(row))).values()].map(securityOf)
}

type Part = { readonly entity: string | null; readonly earlyBird: boolean; readonly pricePaid: Decimal | null }

function partOf({ entity_name, contracts, average_share_price: price }: PositionRow): Part {
  const earlyBird = (JSON.parse(contracts) as Contract[]).some(({ early_bird }) => early_bird)
  return { entity: entity_name, earlyBird, pricePaid: price === null ? null : plainDecimal(price) }
}

function securityOf(stakes: readonly ValuedStake[]): Security {
  const [first] = stakes
  if (first === undefined) throw new Error('a part of a position without a stake')
  const { entity, earlyBird, pricePaid } = partOf(first.row)
  const worths = stakes.map(({ worth }) => worth)
  return {
    security: labelled(first.row.security_type),
    early_bird: earlyBird,
    terms: securityTerms(first.row, pricePaid),
    ...shownAmounts(addUp(worths)),
    shares_held: sharesHeld(worths),
    current_share_price: sharePrice(worths),
    // The oldest stake comes first.
    invested_at: first.row.invested_at,
    owner: entity === null ? { kind: 'individual' } : { kind: 'entity', name: entity },
  }
}

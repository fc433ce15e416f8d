import { absoluteUrl } from '#modules/catalog/index.ts'
import type { Contract } from '#modules/investments/index.ts'
import type { Decimal } from '../store.ts'
import { plainDecimal } from '../worth/decimal.ts'
import { exitReason, positionStatus } from '../worth/position-status.ts'
import { stakeWorth, type Worth } from '../worth/stake-worth.ts'
import { addUp, returnMultiple, sharePrice, sharesHeld, shownAmounts } from '../worth/total-worth.ts'
import { labelled } from './labelled.ts'
import type { Position } from './schemas.ts'
import { securityTerms } from './security-terms.ts'
import { aftermathOf, type HoldingRow, type PositionRow, stakeOf } from './store.ts'

/** The stakes of one offering, the oldest first. */
export type PositionStakes = readonly [PositionRow, ...PositionRow[]]

/** An investor's stakes in one offering as one record: "one position per offering; sums own stakes." */
export function positionRecord(rows: PositionStakes, holdings: readonly HoldingRow[], origin: string): Position {
  const [first] = rows
  const stakes = rows.map(valued)
  const worths = stakes.map(({ worth }) => worth)
  const amounts = addUp(worths)
  const { exit } = aftermathOf(first)
  const status = positionStatus(rows.map(stakeOf), exit)
  const reason = exitReason(status, exit)
  return {
    id: first.offering_id,
    type: 'portfolio_position',
    attributes: {
      offering_id: first.offering_id,
      company: companyRef({ ...first, name: first.company_name }, origin),
      asset_type: first.kind,
      security: labelled(first.security_type),
      status,
      // Clients in the field do not expect a null here.
      ...(reason === null ? {} : { exit_reason: reason }),
      invested_at: first.invested_at,
      currency: first.currency,
      ...shownAmounts(amounts),
      return_multiple: returnMultiple(amounts),
      shares_held: sharesHeld(worths),
      current_share_price: sharePrice(worths),
      securities: securitiesOf(stakes),
      holdings: holdings.map((held) => ({ company: companyRef(held, origin), status: held.status })),
      as_of: first.as_of,
    },
  }
}

type CompanyRow = Pick<HoldingRow, 'company_id' | 'name' | 'slug' | 'page_url'>

/** "Positions and holdings carry company.url." */
export function companyRef({ company_id, name, slug, page_url }: CompanyRow, origin: string) {
  return { id: company_id, name, slug, url: absoluteUrl(origin, page_url) }
}

type ValuedStake = { readonly row: PositionRow; readonly worth: Worth }

function valued(row: PositionRow): ValuedStake {
  return { row, worth: stakeWorth(stakeOf(row), aftermathOf(row)) }
}

type Security = Position['attributes']['securities'][number]

/**
 * "Splits by security offering and legal owner (early-bird tiers, personal versus entity)." What was bought by the same
 * owner, at the same price and on the same terms is one, however often it was bought.
 */
function securitiesOf(stakes: readonly ValuedStake[]): Security[] {
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

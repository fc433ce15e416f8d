import { labelled } from '../view/labelled.ts'
import { companyRef } from '../view/position-record.ts'
import type { HoldingRow } from '../view/position-store.ts'
import { securityTerms } from '../view/security-terms.ts'
import { exitReason, type PositionStatus } from '../worth/position-status.ts'
import { type Amounts, returnMultiple, shownAmounts } from '../worth/total-worth.ts'
import type { DealSumsRow, Sums } from './deal-sums-store.ts'
import type { SyndicatePosition } from './schemas.ts'

/** A deal as a whole, then its parts. */
export type PositionParts = readonly [DealSumsRow, ...DealSumsRow[]]

/** "Summed over all holders (not only current members), aggregate only." */
export function positionRecord(
  [whole, ...parts]: PositionParts,
  holdings: readonly HoldingRow[],
  origin: string,
): SyndicatePosition {
  const { offering_id, security_type } = whole
  const status = statusOf(whole)
  const reason = exitReason(status, { reason: whole.exit_reason })
  const amounts = amountsOf(whole)
  return {
    id: offering_id,
    type: 'syndicate_portfolio_position',
    attributes: {
      offering_id,
      company: companyRef({ ...whole, name: whole.company_name }, origin),
      asset_type: whole.kind,
      security: labelled(security_type),
      status,
      // Clients in the field do not expect a null here.
      ...(reason === null ? {} : { exit_reason: reason }),
      invested_at: whole.invested_at,
      currency: whole.currency,
      ...shownAmounts(amounts),
      return_multiple: returnMultiple(amounts),
      ...sharesOf(whole),
      investor_count: whole.investor_count,
      securities: parts.map(securityOf),
      holdings: holdings.map((held) => ({ company: companyRef(held, origin), status: held.status })),
      as_of: whole.as_of,
    },
  }
}

function securityOf(part: DealSumsRow): SyndicatePosition['attributes']['securities'][number] {
  return {
    security: labelled(part.security_type),
    early_bird: part.early_bird,
    terms: securityTerms(part, part.price_paid),
    ...shownAmounts(amountsOf(part)),
    ...sharesOf(part),
    invested_at: part.invested_at,
    investor_count: part.investor_count,
  }
}

const sharesOf = ({ shares_held, share_price }: Sums) => ({ shares_held, current_share_price: share_price })

export function amountsOf(sums: Pick<Sums, 'cost' | 'value' | 'unrealized' | 'realized'>): Amounts {
  const { cost, value, unrealized, realized } = sums
  return { cost: BigInt(cost), value: BigInt(value), unrealized: BigInt(unrealized), realized: BigInt(realized) }
}

/** positionStatus, of sums. */
export function statusOf({ all_sold, exit_status }: Pick<DealSumsRow, 'all_sold' | 'exit_status'>): PositionStatus {
  return all_sold ? 'sold' : (exit_status ?? 'active')
}

import { absoluteUrl } from '#modules/catalog/index.ts'
import { exitReason, positionStatus } from '../worth/position-status.ts'
import { addUp, returnMultiple, sharePrice, sharesHeld, shownAmounts } from '../worth/total-worth.ts'
import { labelled } from './labelled.ts'
import type { HoldingRow, PositionRow } from './position-store.ts'
import type { Position } from './schemas.ts'
import { securitiesOf, valued } from './securities.ts'
import { aftermathOf, stakeOf } from './stake-sql-store.ts'

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

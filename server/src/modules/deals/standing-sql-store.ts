/**
 * What of an investment `v` stands: committed, reserved where the offering tests the waters, or executed. What is hidden
 * from those who run the offering is nowhere on their side, in no list and in no sum.
 */
export const STANDS = `not v.hidden and v.status in ('active', 'reserved', 'executed')`

/** The group CONFIRMED of the investment's own record: final, and its money has not gone back. */
export const CONFIRMED = `(v.status = 'executed'
  or v.status = 'active' and v.confirmed_at is not null and v.payment_state <> 'refunded')`

/** What counts toward a raise, as the catalogue adds it up. */
export const COUNTS = `not v.hidden and (v.status = 'executed' or v.status = 'active' and v.confirmed_at is not null)`

import { refundDue } from './amounts.ts'
import { obstaclesOf } from './blockers.ts'
import type { Facts } from './facts.ts'

/** "`group`: RESERVED, NO PAYMENT YET, PENDING, IS READY, CONFIRMED." */
export const GROUPS = ['RESERVED', 'NO PAYMENT YET', 'PENDING', 'IS READY', 'CONFIRMED'] as const
export type Group = (typeof GROUPS)[number]

/**
 * Where the founder's dashboard has it: by the money first, then by whatever else is open. What was confirmed counts as
 * that, whatever is open, unless its money went back: then it has to be paid again. IS READY is what is paid in full and
 * has nothing open. A converted one, which only its investor still sees, keeps the group it had. So does a canceled one
 * "while something is owed, else NO PAYMENT YET (RESERVED for a reservation)".
 */
export function groupOf(facts: Facts): Group {
  if (isReservation(facts)) return 'RESERVED'
  if (facts.status === 'canceled' && refundDue(facts) === 0) return 'NO PAYMENT YET'
  if (facts.status === 'executed' || (facts.confirmed && facts.payment !== 'refunded')) return 'CONFIRMED'
  if (facts.payment === 'pending') return 'PENDING'
  if (facts.payment !== 'received') return 'NO PAYMENT YET'
  return obstaclesOf(facts).length > 0 ? 'PENDING' : 'IS READY'
}

/** A conversion does not say what it began as; whether its offering tests the waters does. */
function isReservation({ status, status_before_cancel: before, testing_the_waters }: Facts): boolean {
  if (status === 'converted') return testing_the_waters
  return (before ?? status) === 'reserved'
}

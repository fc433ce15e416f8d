import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { moveMembership } from './joining.ts'
import type { MembershipMove } from './membership-states.ts'
import { type MovedMembership, performMove } from './perform-move.ts'
import { standingById } from './standing.ts'

type Named = { readonly id: Id<'membership'> }
type Ending = (tx: Tx, membership: Named, occasion: Occasion) => Promise<MovedMembership>

/** The member resigned. */
export const leaveSyndicate: Ending = ending('leave')

/** A manager removed the member. */
export const removeMember: Ending = ending('remove')

/** "Payment failed, awaiting re-investment; approval stands": who approved stays on record. */
export const failPayment: Ending = ending('fail_payment')

/** A manager declined the application. */
export const declineApplication: Ending = ending('decline')

/** The applicant withdrew it. */
export const withdrawApplication: Ending = ending('withdraw')

/** The ways out differ in nothing but the move: the table knows from where each is possible and what it causes. */
function ending(move: Exclude<MembershipMove, 'approve'>): Ending {
  return async (tx, { id }, occasion) => {
    const standing = await standingById(tx, id)
    return performMove(tx, { standing, step: moveMembership(standing.status, move) }, occasion)
  }
}

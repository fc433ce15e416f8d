import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { approveApplication } from './approve-application.ts'
import { type Joining, joinSyndicate } from './join-syndicate.ts'
import type { MovedMembership } from './perform-move.ts'
import { type PersonHere, standingOf } from './standing.ts'

export type Admission = PersonHere & Pick<Joining, 'invitedEmail'> & { readonly approvedBy?: Id<'user'> }

/**
 * Makes a member of somebody, whatever is still missing: the approval of an application that waits for one, where it is
 * said who gives it, and the joining. A member already is left as they are: nothing happens twice.
 */
export async function admitPerson(tx: Tx, admission: Admission, occasion: Occasion): Promise<MovedMembership> {
  const { approvedBy, ...joining } = admission
  const { id, status } = await standingOf(tx, admission)
  if (status === 'member') return { id, status }
  if (status === 'pending' && approvedBy !== undefined) {
    const approved = await approveApplication(tx, { id, approvedBy }, occasion)
    if (approved.status === 'member') return approved
  }
  return joinSyndicate(tx, { ...joining, id }, occasion)
}

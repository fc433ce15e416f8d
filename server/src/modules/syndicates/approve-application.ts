import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { approveMembership } from './joining.ts'
import { type MovedMembership, performMove } from './perform-move.ts'
import { standingById } from './standing.ts'
import { joiningRules } from './syndicate-store.ts'

export type Approval = { readonly id: Id<'membership'>; readonly approvedBy: Id<'user'> }

/** Makes a member at once, but in a fund syndicate, where the person joins by investing. */
export async function approveApplication(tx: Tx, approval: Approval, occasion: Occasion): Promise<MovedMembership> {
  const standing = await standingById(tx, approval.id)
  const { fund } = await joiningRules(tx, standing.syndicate_id, standing.user_id)
  const step = approveMembership(standing.status, { fund })
  return performMove(tx, { standing, step, approvedBy: approval.approvedBy }, occasion)
}

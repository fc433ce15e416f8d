import type { CursorSealer } from '#kernel/cursor.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { MovedMembership } from '../perform-move.ts'

/**
 * Decides about a membership together with whatever waits for that decision. Join sessions do, of which this module
 * knows nothing: whoever composes the routes passes in what settles them.
 */
export type Settling = (
  tx: Tx,
  decision: { readonly membershipId: Id<'membership'>; decide(): Promise<MovedMembership> },
  occasion: Occasion,
) => Promise<MovedMembership>

export type SyndicateRouteDeps = {
  readonly cursors: CursorSealer
  /** Our public address. */
  readonly origin: () => string
  readonly settling: Settling
}

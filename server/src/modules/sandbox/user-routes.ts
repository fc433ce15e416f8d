import type { Route } from '#http/route.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { forgetUser } from '#modules/facts/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { moves, step } from './moves.ts'
import { showUser, User } from './user-record.ts'

export const userRoutes: readonly Route[] = moves(
  { of: 'user', plural: 'users', record: User, show: showUser },
  {
    deactivate: step(
      {
        summary: 'Deactivate a user',
        description: 'Deactivates a user. Everything that identifies them is erased for good.',
      },
      deactivate,
    ),
  },
)

/** Everything the platform's own fact would do. */
function deactivate(tx: Tx, { id }: { readonly id: Id<'user'> }, occasion: Occasion): Promise<void> {
  return forgetUser(tx, id, occasion)
}

import { Type } from 'typebox'
import type { Route } from '#http/route.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import { forgetUser } from '#modules/facts/index.ts'
import { lockUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { Resource } from './fields.ts'
import { moves, step } from './moves.ts'

const User = Resource({ kind: 'user', type: 'user', title: 'SandboxUser' }, { deactivated: Type.Boolean() })

export const userRoutes: readonly Route[] = moves(
  { of: 'user', plural: 'users', record: User, show: showUser },
  { deactivate: step('Deactivate a user: what says who they were is gone for ever', deactivate) },
)

/** Everything the platform's own fact would do. */
function deactivate(tx: Tx, { id }: { readonly id: Id<'user'> }, occasion: Occasion): Promise<void> {
  return forgetUser(tx, id, occasion)
}

async function showUser(tx: Tx, id: Id<'user'>) {
  const { deactivated } = await lockUser(tx, 'id', id)
  return { id, type: 'user' as const, attributes: { deactivated } }
}

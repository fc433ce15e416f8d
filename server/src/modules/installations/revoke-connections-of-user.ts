import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Because } from './because.ts'
import { endInstallations } from './end-installations.ts'
import { inWorld } from './reach.ts'
import { lockConnections } from './store.ts'

/**
 * For a user who leaves: every app they connected is disconnected, with its tokens. What they installed on a company or
 * a syndicate is that one's and stays. The caller holds the user's row, so that no consent comes in between.
 */
export async function revokeConnectionsOfUser(tx: Tx, user: Id<'user'>, because: Because): Promise<number> {
  const installations = await lockConnections(tx, user)
  await endInstallations(inWorld(tx), { installations, move: 'revoke', role: 'user' }, because)
  return installations.length
}

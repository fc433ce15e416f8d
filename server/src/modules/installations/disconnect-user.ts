import type { Id } from '#kernel/ids.ts'
import { lockUser } from '#modules/people/index.ts'
import type { RevokedTokens } from '#modules/tokens/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Because } from './because.ts'
import { endInstallations } from './end-installations.ts'
import { inWorld } from './reach.ts'
import { lockConnection } from './store.ts'

export type Disconnecting = {
  readonly appId: Id<'app'>
  readonly userId: Id<'user'>
  /** Who acts: `user`, `partner`, or the platform's own name. */
  readonly role: string
}

export type Disconnected = { readonly installation: Id<'installation'>; readonly tokens: RevokedTokens }

/**
 * Ends a user's connection with an app, and with it every token the app ever had for this user. Null where there is
 * none: who asks twice, or in two windows at once, has what they wanted.
 */
export async function disconnectUser(
  tx: Tx,
  { appId, userId, role }: Disconnecting,
  because: Because,
): Promise<Disconnected | null> {
  await lockUser(tx, 'user', userId)
  const connection = await lockConnection(tx, appId, userId)
  if (connection === null) return null
  const ending = { installations: [connection], move: 'revoke', role } as const
  const tokens = await endInstallations(inWorld(tx), ending, because)
  return { installation: connection.id, tokens }
}

import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { DEFAULT_SCOPE } from '#modules/scopes/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { RevokedTokens } from './revoke-tokens.ts'
import { revokeCarrying } from './store.ts'

export type Beyond = {
  readonly app: Id<'app'>
  /** All names that the app's tokens may still carry. */
  readonly keep: readonly string[]
  /** The names that were taken away: nothing carries them on, whatever else would allow it. */
  readonly removed: readonly string[]
}

/**
 * "Every access token whose scopes are not a subset of the app's new set is revoked, including never-expiring tokens
 * and attached refresh tokens." A default grant never rested on a declaration, so read:profile stays in it, unless that
 * is what was removed. Whoever calls holds the app's row for update and has locked the installations: nothing is issued
 * meanwhile, and each of these statements sees everything that was issued before.
 */
export async function revokeBeyond(tx: PlatformTx, world: World, beyond: Beyond): Promise<RevokedTokens> {
  const { app, keep, removed } = beyond
  const keepByDefault = removed.includes(DEFAULT_SCOPE) ? keep : [...keep, DEFAULT_SCOPE]
  const carrying = { app, keep, keepByDefault, removed }
  await revokeCarrying(tx, { world, kind: 'codes' }, carrying)
  const refreshTokens = await revokeCarrying(tx, { world, kind: 'families' }, carrying)
  const accessTokens = await revokeCarrying(tx, { world, kind: 'tokens' }, carrying)
  return { accessTokens, refreshTokens }
}

import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { type RevokeOf, revokingIn, revokingOnPlatform } from './revoke-store.ts'

/** How many were in force until now. */
export type RevokedTokens = { readonly accessTokens: number; readonly refreshTokens: number }

export type Revocation = {
  /** Locked by whoever calls. */
  readonly installations: readonly Id<'installation'>[]
  readonly which: 'all' | 'all_but_user_access'
}

/**
 * "Its tokens stop working (401)". Of a connection that was replaced "tokens from the earlier consent keep their old
 * scopes until they expire": those of kind user (`all_but_user_access`). What was minted on it may never expire and stops,
 * as do refresh tokens; a code gives nothing in either case.
 */
export async function revokeTokensOf(tx: Tx, revocation: Revocation): Promise<RevokedTokens> {
  return revokeWith(revokingIn(tx), revocation)
}

/** The same for what the platform does over both worlds. */
export async function revokeTokensIn(tx: PlatformTx, world: World, revocation: Revocation): Promise<RevokedTokens> {
  return revokeWith(revokingOnPlatform(tx, world), revocation)
}

async function revokeWith(revoke: RevokeOf, { installations, which }: Revocation): Promise<RevokedTokens> {
  if (installations.length === 0) return { accessTokens: 0, refreshTokens: 0 }
  await revoke('codes', installations)
  const refreshTokens = await revoke('families', installations)
  const accessTokens = await revoke(which === 'all' ? 'tokens' : 'minted', installations)
  return { accessTokens, refreshTokens }
}

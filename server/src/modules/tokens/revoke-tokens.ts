import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { type RevokeOf, revokingIn, revokingOnPlatform } from './revoke-store.ts'

/** How many were in force until now. */
export type RevokedTokens = { readonly accessTokens: number; readonly refreshTokens: number }

export type Revocation = {
  /** Locked by whoever calls. */
  readonly installations: readonly Id<'installation'>[]
  readonly which: 'all' | 'refresh_only'
}

/**
 * "Its tokens stop working (401)"; a connection that was replaced loses only its refresh tokens (`refresh_only`), and
 * "tokens from the earlier consent keep their old scopes until they expire". A code gives nothing in either case.
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
  const accessTokens = which === 'all' ? await revoke('tokens', installations) : 0
  return { accessTokens, refreshTokens }
}

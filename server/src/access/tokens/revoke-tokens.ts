import { DEFAULT_SCOPE } from '#access/scopes/index.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { digestOf, worldOfSecret } from '#system/crypto/secret.ts'
import type { PlatformQueries, PlatformTx, Tx } from '#system/postgres/database.ts'
import { parseRefreshToken } from './grants.ts'
import {
  deleteSandboxTokens,
  findOwnFamily,
  PURGES,
  type RevokeOf,
  revokeFamily,
  revokeOwnToken,
  revokingIn,
  revokingOnPlatform,
} from './revoke-store.ts'
import { countCarrying, revokeCarrying } from './store.ts'

/** How many valid tokens were revoked. */
export type RevokedTokens = { readonly accessTokens: number; readonly refreshTokens: number }

export type Revocation = {
  /** The installations, which the caller has locked. */
  readonly installations: readonly Id<'installation'>[]
  readonly which: 'all' | 'all_but_user_access'
}

/**
 * For a revoked installation: "Its tokens stop working (401)". If a new consent replaced the connection, "tokens from the earlier
 * consent keep their old scopes until they expire": `all_but_user_access` does not revoke the user's access tokens. Minted tokens
 * may never expire, so they are revoked too, like refresh tokens and codes.
 */
export async function revokeTokensOf(tx: Tx, revocation: Revocation): Promise<RevokedTokens> {
  return revokeWith(revokingIn(tx), revocation)
}

/** Like `revokeTokensOf`, in a platform transaction. */
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

export type ScopeBounds = {
  readonly app: Id<'app'>
  /** All scopes that the app's tokens may still have. */
  readonly allowed: readonly string[]
  /** The removed scopes, which no token may have. */
  readonly removed: readonly string[]
}

/**
 * "Every access token whose scopes are not a subset of the app's new set is revoked, including never-expiring tokens and attached refresh
 * tokens." A default grant does not depend on the app's declaration, so read:profile stays unless this scope itself is removed. The caller
 * has locked the app's row for update and the installations, so no token is issued meanwhile and every earlier token is found.
 */
export async function revokeExceeding(tx: PlatformTx, world: World, bounds: ScopeBounds): Promise<RevokedTokens> {
  const carrying = withDefaultScope(bounds)
  await revokeCarrying(tx, { world, kind: 'codes' }, carrying)
  const refreshTokens = await revokeCarrying(tx, { world, kind: 'families' }, carrying)
  const accessTokens = await revokeCarrying(tx, { world, kind: 'tokens' }, carrying)
  return { accessTokens, refreshTokens }
}

function withDefaultScope(bounds: ScopeBounds) {
  const { allowed, removed } = bounds
  return { ...bounds, allowedByDefault: removed.includes(DEFAULT_SCOPE) ? allowed : [...allowed, DEFAULT_SCOPE] }
}

/** The installations that the change of the app's scopes would revoke. */
export type EndingInstallations = { readonly ending: readonly Id<'installation'>[] }

/** Counts the valid tokens, and those of them that `revokeExceeding` and the end of these installations would revoke. */
export async function previewRevoking(
  queries: PlatformQueries,
  world: World,
  { ending, ...bounds }: ScopeBounds & EndingInstallations,
) {
  const carrying = { ...withDefaultScope(bounds), ending }
  const [accessTokens, refreshTokens] = await Promise.all([
    countCarrying(queries, { world, kind: 'tokens' }, carrying),
    countCarrying(queries, { world, kind: 'families' }, carrying),
  ])
  return { accessTokens, refreshTokens }
}

/**
 * RFC 7009. Revokes an access token alone. For a refresh token, old or new, revokes its complete family and the family's access tokens.
 * A token that is unknown, or belongs to another client or to the other world, is ignored; the response does not show the difference.
 */
export async function revokePresented(tx: Tx, { token, keyId }: { token: string; keyId: ClientId }): Promise<void> {
  if (worldOfSecret('at', token) === tx.world) return revokeOwnToken(tx, digestOf(token), keyId)
  const refresh = parseRefreshToken(token)
  if (refresh === null || refresh.world !== tx.world) return
  const family = await findOwnFamily(tx, refresh.nameHash, keyId)
  if (family !== null) await revokeFamily(tx, family)
}

/**
 * Deletes tokens, codes and families that can no longer be used, and stored responses that can no longer be repeated: at most
 * `limit` rows, to keep the transaction short. A result of `limit` means that there may be more.
 */
export async function purgeTokens(tx: Tx, limit: number): Promise<number> {
  let done = 0
  for (const purge of PURGES) {
    if (done < limit) done += await purge(tx, limit - done)
  }
  return done
}

/**
 * Called when apps are deleted; the caller has locked the apps. Only client tokens of the sandbox are left to delete, because an app that
 * issued a live token cannot be deleted, and tokens of installations are deleted with their installations.
 */
export async function deleteTokensOfApps(
  tx: PlatformTx,
  { apps }: { readonly apps: readonly Id<'app'>[] },
): Promise<void> {
  await deleteSandboxTokens(tx, apps)
}

import type { KeyState } from '#access/apps/index.ts'
import { heldScopes } from '#access/scopes/index.ts'
import type { ClientCaller, InstallationCaller, UserCaller } from '#kernel/caller.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'

/** All data that decides whether a token is valid, read in one statement. */
export type CheckedToken = {
  readonly kind: 'client' | 'user' | 'installation'
  readonly keyId: ClientId
  readonly appId: Id<'app'>
  readonly userId: Id<'user'> | null
  readonly installationId: Id<'installation'> | null
  readonly scopes: readonly string[]
  readonly generation: number
  readonly expiresAt: WorldTime | null
  /** Also true if the client secret that minted the token has expired or was deleted. */
  readonly revoked: boolean
  readonly keyState: KeyState
  readonly keyGeneration: number
  readonly apiVersion: string
  /**
   * True for a token of a user, or of a user's own connection, while this user's account is disabled. The token works again when the
   * account is enabled.
   */
  readonly holderDisabled: boolean
  readonly now: WorldTime
}

export type TokenCaller = ClientCaller | UserCaller | InstallationCaller

/**
 * "A token whose installation or app is revoked returns 401 invalid_token." Revoking an installation marks its tokens.
 * Suspending or disabling an app, ending its organization and revoking a key change the key's state. A token issued before the
 * app was disabled has an older generation and stays invalid when the app is enabled again.
 */
export function checkToken(world: World, token: CheckedToken): TokenCaller | null {
  const { revoked, expiresAt, now, keyState, keyGeneration, generation, holderDisabled } = token
  const inDate = expiresAt === null || expiresAt > now
  const inForce = !revoked && !holderDisabled && inDate && keyState === 'active' && keyGeneration === generation
  return inForce ? callerOf(world, token) : null
}

function callerOf(world: World, token: CheckedToken): TokenCaller | null {
  const { kind, appId, keyId, apiVersion, userId, installationId } = token
  const app = { world, appId, keyId, scopes: heldScopes(token.scopes, apiVersion), apiVersion }
  switch (kind) {
    case 'client':
      return { kind, ...app }
    case 'user':
      return userId === null ? null : { kind, ...app, userId }
    case 'installation':
      return installationId === null ? null : { kind, ...app, installationId }
  }
}

/** A family of refresh tokens, read under its lock. */
export type Family = {
  readonly id: string
  readonly keyId: ClientId
  readonly appId: Id<'app'>
  readonly userId: Id<'user'>
  readonly installationId: Id<'installation'>
  readonly headHash: Buffer
  readonly previousHash: Buffer | null
  /** Whether the last rotation may still be repeated. Null before the first rotation. */
  readonly rotatedJustNow: boolean | null
  /** The sealed response of the last rotation. */
  readonly answer: Buffer | null
  readonly scopes: readonly string[]
  readonly byDefault: boolean
  readonly generation: number
  readonly revoked: boolean
  readonly expired: boolean
}

type RefreshVerdict = 'rotate' | 'repeat' | 'reused' | 'unknown' | 'expired' | 'revoked'

/**
 * "Presenting a used refresh token revokes its family, except that the same client repeating the very last rotation within 30 s gets the
 * same successor again." A token of the family that is not the newest is a used token, whichever client presents it. If another client
 * presents the newest token, the request is rejected and nothing is revoked. The 30 s are wall time, so the sandbox clock may move past
 * the end of the family during them.
 */
export function checkRefresh(family: Family, presented: Buffer, keyId: ClientId): RefreshVerdict {
  if (family.revoked) return 'revoked'
  const own = family.keyId === keyId
  if (family.headHash.equals(presented)) {
    if (!own) return 'unknown'
    return family.expired ? 'expired' : 'rotate'
  }
  const repeats = own && family.rotatedJustNow === true && family.previousHash?.equals(presented) === true
  if (!repeats || family.answer === null) return 'reused'
  return family.expired ? 'expired' : 'repeat'
}

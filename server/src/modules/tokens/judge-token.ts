import type { ClientCaller, InstallationCaller, UserCaller } from '#kernel/caller.ts'
import type { ClientId } from '#kernel/client-id.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { KeyState } from '#modules/apps/index.ts'
import { heldScopes } from '#modules/scopes/index.ts'

/** All that decides on a token, read in one statement: the token, its key, and what time it is in its world. */
export type CheckedToken = {
  readonly kind: 'client' | 'user' | 'installation'
  readonly keyId: ClientId
  readonly appId: Id<'app'>
  readonly userId: Id<'user'> | null
  readonly installationId: Id<'installation'> | null
  readonly scopes: readonly string[]
  readonly generation: number
  readonly expiresAt: WorldTime | null
  readonly revoked: boolean
  readonly keyState: KeyState
  readonly keyGeneration: number
  readonly apiVersion: string
  /** The account of the user it is for is disabled: it does not work until the account is enabled. */
  readonly holderDisabled: boolean
  readonly now: WorldTime
}

export type TokenCaller = ClientCaller | UserCaller | InstallationCaller

/**
 * "A token whose installation or app is revoked returns 401 invalid_token." Revoking an installation marks its tokens;
 * suspending or disabling an app, ending its organization and revoking a key stand on the key. What was issued before
 * the app was disabled has an older generation and stays dead when the app is enabled again.
 */
export function judgeToken(world: World, token: CheckedToken): TokenCaller | null {
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

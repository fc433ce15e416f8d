import { lockUser } from '#access/people/index.ts'
import { type ScopeNames, withoutPublic } from '#access/scopes/index.ts'
import type { RevokedTokens } from '#access/tokens/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import type { Installation } from './installation.ts'
import { type ChangeContext, createInstallation, endInstallations, inWorld, onPlatform } from './lifecycle.ts'
import { lockConnectionsIn } from './platform-store.ts'
import { type Grounds, lockConnection, lockConnections, setGrounds } from './store.ts'

export type NewConnection = {
  readonly appId: Id<'app'>
  readonly userId: Id<'user'>
  /** The granted scopes, after all rules about who may grant which scope. */
  readonly scopes: readonly string[]
} & Grounds

export type Connected = { readonly installation: Installation; readonly created: boolean }

/**
 * "A user's consent is an installation with target type user, tier user. Consenting again with the same scopes keeps it; with other scopes
 * it revokes the old one as superseded and creates a new one."
 *
 * The caller has locked the user's row and then the app's row. So if one user consents twice at once, the second consent sees the
 * installation of the first, and no scope of the app is removed in between.
 */
export async function connectUser(tx: Tx, granted: NewConnection, context: ChangeContext): Promise<Connected> {
  const connection = { ...granted, scopes: withoutPublic(granted.scopes) }
  const current = await lockConnection(tx, connection.appId, connection.userId)
  if (current !== null && sameScopes(current.scopes, connection.scopes)) {
    return { installation: await keepConnection(tx, current, connection), created: false }
  }
  if (current !== null) {
    const ending = {
      installations: [current],
      move: 'supersede',
      role: 'user',
      stillGranted: connection.scopes,
    } as const
    await endInstallations(inWorld(tx), ending, context)
  }
  return { installation: await create(tx, connection, context), created: true }
}

/** The newest consent decides the basis of the grant (default scopes, PII approval). */
async function keepConnection(
  tx: Tx,
  current: Installation,
  { byDefault, piiBy }: NewConnection,
): Promise<Installation> {
  await setGrounds(tx, current.id, { byDefault, piiBy })
  return { ...current, byDefault }
}

async function create(tx: Tx, connection: NewConnection, context: ChangeContext): Promise<Installation> {
  const { appId, userId, scopes, byDefault, piiBy } = connection
  const grant = { appId, tier: 'user', scopes, byDefault, piiBy } as const
  const by = { installedByRole: 'user', installedByUserId: userId }
  const made = await createInstallation(tx, { ...grant, target: { type: 'user', id: userId }, ...by }, context)
  if (made === null) throw new Error('a connection was created although its user was locked')
  return made
}

export type Disconnecting = {
  readonly appId: Id<'app'>
  readonly userId: Id<'user'>
  /** Who acts: `user`, `partner`, or the platform's own name. */
  readonly role: string
}

export type Disconnected = { readonly installation: Id<'installation'>; readonly tokens: RevokedTokens }

/**
 * Revokes a user's connection with an app and every token that the app has for this user. Null if there is no connection: the API then
 * responds 404, the page does not treat it as an error.
 */
export async function disconnectUser(
  tx: Tx,
  { appId, userId, role }: Disconnecting,
  context: ChangeContext,
): Promise<Disconnected | null> {
  await lockUser(tx, 'user', userId)
  const connection = await lockConnection(tx, appId, userId)
  if (connection === null) return null
  const ending = { installations: [connection], move: 'revoke', role } as const
  const tokens = await endInstallations(inWorld(tx), ending, context)
  return { installation: connection.id, tokens }
}

/**
 * For a user who leaves: revokes every connection of the user and its tokens. Installations on companies and syndicates
 * stay. The caller has locked the user's row, so that no consent is added meanwhile.
 */
export async function revokeConnectionsOfUser(tx: Tx, user: Id<'user'>, context: ChangeContext): Promise<number> {
  const installations = await lockConnections(tx, user)
  await endInstallations(inWorld(tx), { installations, move: 'revoke', role: 'user' }, context)
  return installations.length
}

/**
 * Revokes the connections of a person who deletes their account, because without an account they could not see or end them. The user stays,
 * because it is the platform's record. Runs in a platform transaction, because an account does not belong to one world.
 */
export async function revokeConnectionsIn(
  tx: PlatformTx,
  { world, user }: { readonly world: World; readonly user: Id<'user'> },
  context: ChangeContext,
): Promise<number> {
  const installations = await lockConnectionsIn(tx, world, user)
  await endInstallations(onPlatform(tx, world), { installations, move: 'revoke', role: 'user' }, context)
  return installations.length
}

/**
 * "Consenting again with the same scopes keeps it; with other scopes it revokes the old one." The order of the names does not matter.
 * The names are compared, because the installation shows them: write:syndicates with read:syndicates is another grant than
 * write:syndicates alone, although both give the same rights.
 */
export function sameScopes(one: ScopeNames, other: ScopeNames): boolean {
  const [left, right] = [new Set(one), new Set(other)]
  return left.size === right.size && [...left].every((name) => right.has(name))
}

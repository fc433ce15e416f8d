import type { Id } from '#kernel/ids.ts'
import { withoutPublic } from '#modules/scopes/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Because } from './because.ts'
import { createInstallation } from './create-installation.ts'
import { endInstallations } from './end-installations.ts'
import type { Installation } from './installation.ts'
import { inWorld } from './reach.ts'
import { sameScopes } from './same-scopes.ts'
import { type Grounds, lockConnection, setGrounds } from './store.ts'

export type NewConnection = {
  readonly appId: Id<'app'>
  readonly userId: Id<'user'>
  /** What was granted, every rule about who may grant it applied. */
  readonly scopes: readonly string[]
} & Grounds

export type Connected = { readonly installation: Installation; readonly created: boolean }

/**
 * "A user's consent is an installation with target type user, tier user. Consenting again with the same scopes keeps
 * it; with other scopes it revokes the old one as superseded and creates a new one."
 *
 * The caller holds the user's row and then the app's, in this order: of two consents of one user the second sees what
 * the first made, and no scope of the app is removed meanwhile.
 */
export async function connectUser(tx: Tx, granted: NewConnection, because: Because): Promise<Connected> {
  const connection = { ...granted, scopes: withoutPublic(granted.scopes) }
  const current = await lockConnection(tx, connection.appId, connection.userId)
  if (current !== null && sameScopes(current.scopes, connection.scopes)) {
    return { installation: await keep(tx, current, connection), created: false }
  }
  if (current !== null) {
    const ending = { installations: [current], move: 'supersede', role: 'user', kept: connection.scopes } as const
    await endInstallations(inWorld(tx), ending, because)
  }
  return { installation: await create(tx, connection, because), created: true }
}

/** The newest consent says what the connection rests on. */
async function keep(tx: Tx, current: Installation, { byDefault, piiBy }: NewConnection): Promise<Installation> {
  await setGrounds(tx, current.id, { byDefault, piiBy })
  return { ...current, byDefault }
}

async function create(tx: Tx, connection: NewConnection, because: Because): Promise<Installation> {
  const { appId, userId, scopes, byDefault, piiBy } = connection
  const grant = { appId, tier: 'user', scopes, byDefault, piiBy } as const
  const by = { installedByRole: 'user', installedByUserId: userId }
  const made = await createInstallation(tx, { ...grant, target: { type: 'user', id: userId }, ...by }, because)
  if (made === null) throw new Error('a connection appeared beside the lock on its user')
  return made
}

import { type Id, newId } from '#kernel/ids.ts'
import { transition } from '#kernel/state-machine.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Because } from './because.ts'
import { endInstallations } from './end-installations.ts'
import type { Installation } from './installation.ts'
import { installationEvent } from './installation-event.ts'
import { INSTALLATION_MACHINE } from './installation-states.ts'
import { inWorld } from './reach.ts'
import { sameScopes } from './same-scopes.ts'
import { findInstallations, insertInstallation, lockConnection, setByDefault } from './store.ts'

export type NewConnection = {
  readonly appId: Id<'app'>
  readonly userId: Id<'user'>
  /** What was granted, the rule for investor PII applied. */
  readonly scopes: readonly string[]
  readonly byDefault: boolean
}

export type Connected = { readonly installation: Installation; readonly created: boolean }

/**
 * "A user's consent is an installation with target type user, tier user. Consenting again with the same scopes keeps
 * it; with other scopes it revokes the old one as superseded and creates a new one."
 *
 * The caller holds the user's row and then the app's, in this order: of two consents of one user the second sees what
 * the first made, and no scope of the app is removed meanwhile.
 */
export async function connectUser(tx: Tx, connection: NewConnection, because: Because): Promise<Connected> {
  const current = await lockConnection(tx, connection.appId, connection.userId)
  if (current !== null && sameScopes(current.scopes, connection.scopes)) {
    return { installation: await keep(tx, current, connection.byDefault), created: false }
  }
  if (current !== null) {
    await endInstallations(inWorld(tx), { installations: [current], move: 'supersede', role: 'user' }, because)
  }
  return { installation: await create(tx, connection, because), created: true }
}

/** The newest consent says whether the connection rests on what the app declares. */
async function keep(tx: Tx, current: Installation, byDefault: boolean): Promise<Installation> {
  if (current.byDefault !== byDefault) await setByDefault(tx, current.id, byDefault)
  return { ...current, byDefault }
}

async function create(tx: Tx, connection: NewConnection, because: Because): Promise<Installation> {
  const { to, events } = transition(INSTALLATION_MACHINE, { from: 'none', move: 'create' })
  const { appId, userId, scopes, byDefault } = connection
  const id = newId('installation')
  await insertInstallation(tx, {
    id,
    appId,
    target: { type: 'user', id: userId },
    tier: 'user',
    scopes,
    byDefault,
    state: to,
    installedByRole: 'user',
    installedByUserId: userId,
  })
  const [made] = await findInstallations(tx, [id])
  if (made === undefined) throw new Error('an installation just made cannot be found')
  await inWorld(tx).append(
    events.map((name) => installationEvent(name, made)),
    because,
  )
  return made
}

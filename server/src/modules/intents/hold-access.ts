import { lockUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Owner } from './intent.ts'
import { accessEnded } from './refusals.ts'
import { shareApp, shareConnection, shareInstallation } from './store.ts'

/**
 * Whoever ends an app's access expires its pending intents in the same transaction. So a new one is written while that
 * cannot happen, or it would be left behind. A user's row is locked: their proposals come one after the other.
 */
export async function holdAccess(tx: Tx, owner: Owner): Promise<void> {
  const inService = await shareApp(tx, owner.appId)
  if (owner.userId !== null && (await lockUser(tx, 'user', owner.userId)).deactivated) throw accessEnded()
  if (!inService || !(await shareGrant(tx, owner))) throw accessEnded()
}

/** For who decides: the same rows in the same order, so that a revocation comes before the decision or after it. */
export async function awaitRevocation(tx: Tx, owner: Owner): Promise<void> {
  await shareApp(tx, owner.appId)
  await shareGrant(tx, owner)
}

function shareGrant(tx: Tx, owner: Owner): Promise<boolean> {
  return owner.userId === null
    ? shareInstallation(tx, owner.installationId)
    : shareConnection(tx, owner.appId, owner.userId)
}

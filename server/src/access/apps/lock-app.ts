import { refuseEnded } from '#access/organizations/index.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { App } from './app.ts'
import { findApp, lockApp } from './store.ts'

/**
 * The first lock of everything that changes an app or one of its keys: changes come one after the other, and nothing is
 * issued meanwhile. Lock first, then look in a new statement, which sees what the wait was for.
 */
export async function lockAppForChange(tx: PlatformTx, id: Id<'app'>): Promise<App> {
  const app = (await lockApp(tx, id)) ? await findApp(tx, id) : null
  if (app === null) throw notFound(`app ${id} is unknown`)
  return app
}

/** As `lockAppForChange`, for what an app of an ended organization is refused: everything but the look. */
export async function holdApp(tx: PlatformTx, id: Id<'app'>, event: string): Promise<App> {
  const app = await lockAppForChange(tx, id)
  refuseEnded({ state: app.organization_state }, event)
  return app
}

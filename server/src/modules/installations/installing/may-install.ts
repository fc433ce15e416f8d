import type { Id } from '#kernel/ids.ts'
import { type AppDescription, describeApp } from '#modules/apps/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { isOnTeam } from './store.ts'

/** "Installing outside the app's own organization needs an approved app." */
export function mayInstall(app: Pick<AppDescription, 'approved'>, onTeam: boolean): boolean {
  return onTeam || app.approved
}

export type Installer = {
  readonly onTeam: boolean
  /** Anywhere at all; where, is decided by what they are there. */
  readonly may: boolean
}

export async function findInstaller(queries: WorldQueries, user: Id<'user'>, app: Id<'app'>): Promise<Installer> {
  const onTeam = await isOnTeam(queries, user, app)
  const described = await describeApp(queries, app)
  return { onTeam, may: described !== null && mayInstall(described, onTeam) }
}

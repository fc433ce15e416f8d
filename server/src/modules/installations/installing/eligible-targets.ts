import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import type { Installation } from '../installation.ts'
import { findInstallations } from '../store.ts'
import { findInstaller } from './may-install.ts'
import { activeOn, type Standing, standingsOf } from './store.ts'

/** Where a user could install an app, as what, and whether it is there already. */
export type EligibleTarget = Standing & { readonly installation: Installation | null }

/** Companies first, each kind by name. One that lost its installation is free again at once. None for who may not install. */
export async function eligibleTargets(
  queries: WorldQueries,
  user: Id<'user'>,
  app: Id<'app'>,
): Promise<readonly EligibleTarget[]> {
  if (!(await findInstaller(queries, user, app)).may) return []
  const standings = await standingsOf(queries, user)
  const active = await activeOn(queries, app, standings)
  const found = await findInstallations(queries, [...active.values()])
  const byTarget = new Map<string, Installation>(found.map((installation) => [installation.target.id, installation]))
  return standings.map((standing) => ({ ...standing, installation: byTarget.get(standing.id) ?? null }))
}

import type { Id } from '#kernel/ids.ts'
import { type AppDescription, describeApp } from '#modules/apps/index.ts'
import { findInstallations } from '#modules/installations/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { isStillThere } from './asking-store.ts'

/** Who sent the person here: an app, and the company or syndicate that let it in. Null for the platform itself. */
export type Asking = {
  readonly app: AppDescription
  readonly on: string
  /** False once the app was removed there, suspended or disabled: whoever it sends then is sent by nobody. */
  readonly stands: boolean
}

export async function findAsking(
  queries: WorldQueries,
  installation: Id<'installation'> | null,
): Promise<Asking | null> {
  const [found] = installation === null ? [] : await findInstallations(queries, [installation])
  if (found === undefined) return null
  const [app, there] = await Promise.all([describeApp(queries, found.appId), isStillThere(queries, found.id)])
  return app === null ? null : { app, on: found.target.name ?? '', stands: there && app.state === 'active' }
}

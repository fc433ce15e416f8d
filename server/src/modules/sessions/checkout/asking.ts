import type { Id } from '#kernel/ids.ts'
import { type AppDescription, describeApp } from '#modules/apps/index.ts'
import { findInstallations } from '#modules/installations/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { isStillThere } from './asking-store.ts'

/** Who sent the person here: an app, and the company or syndicate that let it in. Null for the platform itself. */
export type Asking = {
  readonly app: AppDescription
  readonly on: string
  /**
   * False once the app was removed there, suspended or disabled, or the syndicate no longer runs the offering: whoever it
   * sends then is sent by nobody.
   */
  readonly stands: boolean
}

type Sent = { readonly installation: Id<'installation'> | null; readonly offering: Id<'offering'> }

export async function findAsking(queries: WorldQueries, { installation, offering }: Sent): Promise<Asking | null> {
  const [found] = installation === null ? [] : await findInstallations(queries, [installation])
  if (found === undefined) return null
  const [app, there] = await Promise.all([describeApp(queries, found.appId), isStillThere(queries, found.id, offering)])
  return app === null ? null : { app, on: found.target.name ?? '', stands: there && app.state === 'active' }
}

import { describeFormerApp } from '#modules/apps/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import type { Owner } from './intent.ts'
import type { Asker } from './shown.ts'
import { nameOf } from './store.ts'

/** Who asks, as people are told at this moment: what a deleted app proposed keeps its name. */
export async function askerOf(queries: WorldQueries, { appId, userId }: Owner): Promise<Asker> {
  const app = await describeFormerApp(queries, appId)
  if (app === null) throw new Error('an app is gone that has an intent')
  const proposer = userId === null ? null : ((await nameOf(queries, userId)) ?? 'A person who left')
  return { app: app.name, organization: app.organization.name, logo: app.logoUrl, proposer }
}

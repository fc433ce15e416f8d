import { recordAudit } from '#modules/audit/index.ts'
import { type Naming, refusePlatformName } from '#modules/organizations/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { App } from './app.ts'
import { refuseUrls } from './app-urls.ts'
import { holdApp } from './lock-app.ts'
import { type AppTexts, updateTexts } from './store.ts'
import { EDITORS, requireTeam, type Seat } from './team.ts'

export type AppChange = Partial<AppTexts & Pick<App, 'api_version'>>

/** What is left out stays. The pinned version is the app's and every key's, in force with the next request. */
export async function updateApp(tx: PlatformTx, seat: Seat, { brand, ...change }: AppChange & Naming): Promise<void> {
  await requireTeam(tx, seat, EDITORS)
  const app = await holdApp(tx, seat.app, 'update')
  refuseUrls(change)
  const changed = changedFields(app, change)
  if (Object.keys(changed).length === 0) return
  if (changed.name !== undefined) refusePlatformName({ brand }, changed.name)
  await updateTexts(tx, app.id, { ...app, ...changed })
  await recordAudit(tx, {
    ...{ actor: seat.account, action: 'app.updated', subject: app.id },
    details: changed,
  })
}

function changedFields(app: App, change: AppChange): AppChange {
  const fields = Object.keys(change) as (keyof AppChange)[]
  return Object.fromEntries(fields.filter((name) => change[name] !== app[name]).map((name) => [name, change[name]]))
}

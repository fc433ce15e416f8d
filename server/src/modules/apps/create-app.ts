import { NEWEST } from '#http/versions.ts'
import { ApiError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { holdAsMember, type Naming, type Place, refusePlatformName } from '#modules/organizations/index.ts'
import { inCatalogueOrder, refuseUnselectable } from '#modules/scopes/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { refuseUrls } from './app-urls.ts'
import { type AppTexts, countApps, insertApp } from './store.ts'
import { CONDITIONS_VERSION, refuseOtherConditions } from './usage-conditions.ts'

/** Of one organization, disabled ones not counted. */
const APPS_MAX = 100

export type NewApp = Pick<AppTexts, 'name'> &
  Partial<AppTexts> &
  Naming & {
    readonly scopes?: readonly string[]
    /** The version of the usage conditions that whoever creates the app has read and accepts. */
    readonly accepted_conditions: string
  }

/**
 * Any member may create an app, and answers for having accepted the usage conditions: "acceptance is recorded at app
 * creation". It begins active, without keys, pinned to the newest version.
 */
export async function createApp(tx: PlatformTx, place: Place, app: NewApp): Promise<Id<'app'>> {
  await holdAsMember(tx, place, { event: 'create_app' })
  refuseOtherConditions(app.accepted_conditions)
  refusePlatformName(app, app.name)
  refuseUrls(app)
  const scopes = app.scopes ?? []
  refuseUnselectable(scopes)
  await requireRoom(tx, place.organization)
  const { name, description = null, website_url = null, setup_url = null } = app
  const id = newId('app')
  await insertApp(tx, {
    ...{ id, organization_id: place.organization, api_version: NEWEST, scopes: inCatalogueOrder(scopes) },
    ...{ name, description, website_url, setup_url },
    ...{ conditions_version: CONDITIONS_VERSION, conditions_accepted_by: place.account },
  })
  const details = { organization: place.organization, name, scopes, conditions: CONDITIONS_VERSION }
  await recordAudit(tx, { actor: place.account, action: 'app.created', subject: id, details })
  return id
}

/** For one more app that is not disabled. Under the organization's lock, or two at once would both find room. */
export async function requireRoom(tx: PlatformTx, organization: Id<'organization'>): Promise<void> {
  if ((await countApps(tx, organization)) < APPS_MAX) return
  throw new ApiError('forbidden', {
    public: `This organization has ${APPS_MAX} apps, which is as many as it can have.`,
    remediation: 'Disable an app that is not in use, or delete one that was never used. Disabled apps do not count.',
  })
}

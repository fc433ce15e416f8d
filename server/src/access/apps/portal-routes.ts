import { Type } from 'typebox'
import { recordAudit } from '#access/audit/index.ts'
import { One } from '#access/organizations/http.ts'
import { type Naming, type PlatformNames, rejectPlatformName } from '#access/organizations/index.ts'
import { open, recentlyProven, signedIn } from '#http/access.ts'
import { listOf, openCursor, page, pageSize } from '#http/pagination.ts'
import { PICTURE_TYPES } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, oneOf, PictureBody } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import { KEEP_ASSET } from '#pages/assets.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import type { App } from './app.ts'
import { AppRecord, showApp, showApps } from './app-record.ts'
import { requestRoutes } from './approval-routes.ts'
import { changeLogo, LOGO_BYTES_MAX, removeLogo } from './change-logo.ts'
import { disableApp, enableApp } from './change-state.ts'
import { logoVersion } from './client-store.ts'
import { createApp, rejectUrls } from './create-app.ts'
import { deleteApp, type OnEnded } from './delete-app.ts'
import { keyRoutes } from './key-routes.ts'
import { EDITORS, lockLiveApp, requireTeam, type Seat } from './lock-app.ts'
import { AppChangeBody, AppDeletionBody, AppParam, AppsQuery, NewAppBody } from './schemas.ts'
import { type AppTexts, findLogo, listOfTeam, updateTexts } from './store.ts'

export type AppRouteDeps = {
  readonly platform: PlatformDatabase
  readonly cursors: CursorSealer
  /** The platform's own name, which no app may use. */
  readonly brand: PlatformNames
  /** Called when an app is disabled. */
  readonly onStopped?: readonly OnEnded[]
  /** Called when an app is deleted. */
  readonly onDeleted?: readonly OnEnded[]
}

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const
const KIND = { kind: 'portal_apps', version: 1 }

/** Routes of the portal for an app's own team. */
export const portalAppRoutes = (deps: AppRouteDeps): Route[] => [
  route({
    ...portal,
    operation: 'listOwnApps',
    method: 'GET',
    path: '/portal/api/apps',
    summary: 'List your apps',
    description: 'Returns the apps of your organizations, or of one organization.',
    schema: { query: AppsQuery, response: { 200: listOf(AppRecord) } },
    handler: async ({ caller, query }) => {
      const size = pageSize(query.per_page)
      const [after = ''] = openCursor(deps.cursors, KIND, query.cursor) ?? []
      const wanted = { after: String(after), limit: size + 1, organization: query.organization_id ?? null }
      const rows = await showApps(deps.platform.reads, await listOfTeam(deps.platform.reads, caller.accountId, wanted))
      const body = page({ rows, size, item: (row) => row, next: ({ id }) => deps.cursors.seal(KIND, [id]) })
      return { status: 200, body }
    },
  }),
  route({
    ...portal,
    operation: 'createApp',
    method: 'POST',
    path: '/portal/api/apps',
    summary: 'Create an app',
    description: 'Creates an app for an organization. The request accepts the usage conditions.',
    schema: { body: NewAppBody, response: { 201: One(AppRecord) } },
    platform: async ({ ptx, caller, body: { organization_id: organization, ...app } }) => {
      const id = await createApp(ptx, { organization, account: caller.accountId }, { ...app, brand: deps.brand })
      return { status: 201, body: await showApp(ptx, id) }
    },
  }),
  route({
    ...portal,
    operation: 'readOwnApp',
    method: 'GET',
    path: '/portal/api/apps/:app_id',
    summary: 'Get your app',
    description: 'Returns an app of one of your organizations.',
    schema: { params: AppParam, response: { 200: One(AppRecord) } },
    handler: async ({ caller, params: { app_id: app } }) => {
      await requireTeam(deps.platform.reads, { account: caller.accountId, app }, EDITORS)
      return { status: 200, body: await showApp(deps.platform.reads, app) }
    },
  }),
  route({
    ...portal,
    operation: 'updateApp',
    method: 'PATCH',
    path: '/portal/api/apps/:app_id',
    summary: 'Update an app',
    description: 'Changes an app’s name, description, URLs, or the API version to which the app is pinned.',
    schema: { params: AppParam, body: AppChangeBody, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app }, body }) => {
      await updateApp(ptx, { account: caller.accountId, app }, { ...body, brand: deps.brand })
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...portal,
    access: recentlyProven(),
    operation: 'deleteApp',
    method: 'DELETE',
    path: '/portal/api/apps/:app_id',
    summary: 'Delete an app',
    description:
      'Deletes an app that was never approved, never issued a live token, was never installed and is not suspended. Consents in the test world do not count as installations; they end with the app. The body repeats the app’s name. Only owners and admins can do this.',
    schema: { params: AppParam, body: AppDeletionBody, response: { 204: Type.Null() } },
    platform: async ({ ptx, caller, params: { app_id: app }, body: { name }, requestId: cause }) => {
      await deleteApp(ptx, { account: caller.accountId, app }, { name, cause, onDeleted: deps.onDeleted ?? [] })
      return { status: 204, body: null }
    },
  }),
  route({
    ...portal,
    operation: 'disableApp',
    method: 'POST',
    path: '/portal/api/apps/:app_id/disable',
    summary: 'Disable an app',
    description: 'Disables an app and revokes all its tokens for good. Only owners and admins can do this.',
    schema: { params: AppParam, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app }, requestId }) => {
      await disableApp(ptx, { account: caller.accountId, app })
      for (const stop of deps.onStopped ?? []) await stop(ptx, { apps: [app], cause: requestId })
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...portal,
    operation: 'enableApp',
    method: 'POST',
    path: '/portal/api/apps/:app_id/enable',
    summary: 'Enable an app',
    description: 'Lets a disabled app obtain tokens again. Only owners and admins can do this.',
    schema: { params: AppParam, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app } }) => {
      await enableApp(ptx, { account: caller.accountId, app })
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  ...appLogoRoutes(deps),
  ...keyRoutes(deps),
  ...requestRoutes(deps),
]

type AppChange = Partial<AppTexts & Pick<App, 'api_version'>>

/** Omitted fields keep their value. The pinned version is written to the app and every key, and applies from the next request. */
async function updateApp(tx: PlatformTx, seat: Seat, { brand, ...change }: AppChange & Naming): Promise<void> {
  await requireTeam(tx, seat, EDITORS)
  const app = await lockLiveApp(tx, seat.app, 'update')
  rejectUrls(change)
  const changed = changedFields(app, change)
  if (Object.keys(changed).length === 0) return
  if (changed.name !== undefined) rejectPlatformName({ brand }, changed.name)
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

const portalOfLogoRoutes = { tag: 'Portal', alias: false, access: signedIn() } as const

const LogoBody = exactly(
  {
    media_type: oneOf(PICTURE_TYPES),
    data: Type.String({
      minLength: 1,
      maxLength: Math.ceil(LOGO_BYTES_MAX / 3) * 4,
      description: 'The picture in base64. The picture has at most 64 KiB and is 16 to 1,024 pixels wide and high.',
    }),
  },
  'LogoPicture',
)

/** The logo of an app. We host the picture, so that a partner does not learn who opens a consent page. */
const appLogoRoutes = ({ platform }: { readonly platform: PlatformDatabase }): Route[] => [
  route({
    ...portalOfLogoRoutes,
    operation: 'changeAppLogo',
    method: 'PUT',
    path: '/portal/api/apps/:app_id/logo',
    summary: 'Set an app’s logo',
    description: 'Sets or replaces the logo of an app.',
    schema: { params: AppParam, body: LogoBody, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app }, body }) => {
      await changeLogo(ptx, { account: caller.accountId, app }, body)
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...portalOfLogoRoutes,
    operation: 'removeAppLogo',
    method: 'DELETE',
    path: '/portal/api/apps/:app_id/logo',
    summary: 'Remove an app’s logo',
    description: 'Removes the logo of an app.',
    schema: { params: AppParam, response: { 204: Type.Null() } },
    platform: async ({ ptx, caller, params: { app_id: app } }) => {
      await removeLogo(ptx, { account: caller.accountId, app })
      return { status: 204, body: null }
    },
  }),
  route({
    operation: 'readAppLogo',
    method: 'GET',
    path: '/assets/apps/:app_id/logo',
    alias: false,
    cors: 'any',
    summary: 'Get an app’s logo',
    description: 'Returns the logo of an app as an image.',
    tag: 'Assets',
    access: open('A public picture that the app’s team uploaded.'),
    schema: { params: AppParam, response: { 200: PictureBody, 304: Type.Null() } },
    contentType: 'image/*',
    handler: async ({ params: { app_id: app }, header }) => {
      const logo = await findLogo(platform.reads, app)
      if (logo === null) throw notFound(`app ${app} has no logo`)
      const tag = `"${logoVersion(logo.digest)}"`
      // Other sites may embed the logo, like the logos of companies.
      const headers = { 'Cache-Control': KEEP_ASSET, ETag: tag, 'Cross-Origin-Resource-Policy': 'cross-origin' }
      if (header('If-None-Match') === tag) return { status: 304, body: null, headers }
      return { status: 200, body: { mediaType: logo.media_type, bytes: logo.bytes }, headers }
    },
  }),
]

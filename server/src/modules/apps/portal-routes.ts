import { Type } from 'typebox'
import { signedIn } from '#http/access.ts'
import { listOf, openCursor, page, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { One } from '#modules/organizations/http.ts'
import type { PlatformNames } from '#modules/organizations/index.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { AppRecord, showApp, showApps } from './app-record.ts'
import { disableApp, enableApp } from './change-state.ts'
import { createApp } from './create-app.ts'
import { deleteApp } from './delete-app.ts'
import type { OnEnded } from './end-organization.ts'
import { keyRoutes } from './key-routes.ts'
import { appLogoRoutes } from './logo-routes.ts'
import { requestRoutes } from './request-routes.ts'
import { AppChangeBody, AppDeletionBody, AppParam, AppsQuery, NewAppBody } from './schemas.ts'
import { listOfTeam } from './store.ts'
import { EDITORS, requireTeam } from './team.ts'
import { updateApp } from './update-app.ts'

export type AppRouteDeps = {
  readonly platform: PlatformDatabase
  readonly cursors: CursorSealer
  /** The platform's own name, which no app bears. */
  readonly brand: PlatformNames
  /** What else stops with an app that is disabled. */
  readonly onStopped?: readonly OnEnded[]
  /** What else ends with an app that is deleted. */
  readonly onDeleted?: readonly OnEnded[]
}

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const
const KIND = { kind: 'portal_apps', version: 1 }

/** The side of an app's own team. */
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
    description: 'Changes an app’s name, what it shows to people, or the API version to which it is pinned.',
    schema: { params: AppParam, body: AppChangeBody, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app }, body }) => {
      await updateApp(ptx, { account: caller.accountId, app }, { ...body, brand: deps.brand })
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...portal,
    operation: 'deleteApp',
    method: 'DELETE',
    path: '/portal/api/apps/:app_id',
    summary: 'Delete an app',
    description:
      'Deletes an app that was never approved, never issued a live token and was never installed; consents in the test world do not count, and end. The body repeats the app’s name. Only owners and admins can do this.',
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

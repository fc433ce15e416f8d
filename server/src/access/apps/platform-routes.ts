import { Type } from 'typebox'
import { One, OrganizationParam, OrganizationRecord, organizationRecord } from '#access/organizations/http.ts'
import { findOrganization, listOrganizations } from '#access/organizations/index.ts'
import { liveOperator, operator } from '#http/access.ts'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformDatabase, PlatformQueries } from '#system/postgres/database.ts'
import type { NotifyAppTeam } from './app.ts'
import { AppRecord, PlatformHistoryRecord, seesPeople, showApp, showApps, showPlatformHistory } from './app-record.ts'
import { approvalRoutes } from './approval-routes.ts'
import { liftSuspension, suspendApp } from './change-state.ts'
import { endOrganization, type OnEnded } from './delete-app.ts'
import { type FindOwners, partnerRoutes } from './partner-routes.ts'
import { AppParam, PageOnly, ReasonBody } from './schemas.ts'
import { listApps } from './store.ts'

type Deps = {
  readonly platform: PlatformDatabase
  readonly cursors: CursorSealer
  readonly onEnded?: readonly OnEnded[]
  /** Called when an app is suspended. */
  readonly onStopped?: readonly OnEnded[]
  readonly notify: NotifyAppTeam
  readonly findOwners: FindOwners
}

const KIND = { kind: 'platform_apps', version: 1 }

const AllAppsQuery = exactly({
  organization_id: Type.Optional(idOf('organization')),
  open_requests: Type.Optional(
    Type.Boolean({ description: '`true` returns only apps with a request that `GET /platform/requests` lists.' }),
  ),
  ...pageQuery(),
})

/** Routes by which the operator reads and changes apps. An app belongs to both worlds, so an operator changes it in live mode only. */
export const platformAppRoutes = ({
  platform,
  cursors,
  onEnded = [],
  onStopped = [],
  notify,
  findOwners,
}: Deps): Route[] => [
  route({
    ...{ tag: 'Platform partners', alias: false, access: operator('viewer', 'partner') },
    operation: 'listApps',
    method: 'GET',
    path: '/platform/apps',
    summary: 'List all apps',
    description: 'Returns all apps of all organizations.',
    schema: { query: AllAppsQuery, response: { 200: listOf(AppRecord) } },
    handler: async ({ query }) => {
      const size = pageSize(query.per_page)
      const [after = ''] = openCursor(cursors, KIND, query.cursor) ?? []
      const { organization_id: organization = null, open_requests: openRequests = false } = query
      const found = await listApps(platform.reads, {
        after: String(after),
        limit: size + 1,
        organization,
        openRequests,
      })
      const rows = await showApps(platform.reads, found)
      return {
        status: 200,
        body: page({ rows, size, item: (row) => row, next: ({ id }) => cursors.seal(KIND, [id]) }),
      }
    },
  }),
  route({
    ...{ tag: 'Platform partners', alias: false, access: operator('viewer', 'partner') },
    operation: 'readApp',
    method: 'GET',
    path: '/platform/apps/:app_id',
    summary: 'Get any app',
    description: 'Returns an app of any organization.',
    schema: { params: AppParam, response: { 200: One(AppRecord) } },
    handler: async ({ params }) => ({ status: 200, body: await showApp(platform.reads, params.app_id) }),
  }),
  route({
    ...{ tag: 'Platform partners', alias: false, access: operator('viewer', 'person') },
    operation: 'readAppHistory',
    method: 'GET',
    path: '/platform/apps/:app_id/history',
    summary: 'Get an app’s history',
    description:
      'Returns what was done to an app and who did it, newest first. An act of the platform has the id of the operator key or of the staff member. Deleted apps keep their history. A viewer sees no names and no reasons.',
    schema: { params: AppParam, query: PageOnly, response: { 200: listOf(PlatformHistoryRecord) } },
    handler: async ({ caller, params, query }) => {
      const wanted = { query, named: seesPeople(caller) }
      const body = await showPlatformHistory({ queries: platform.reads, cursors }, params.app_id, wanted)
      return { status: 200, body }
    },
  }),
  route({
    ...{ tag: 'Platform partners', alias: false, access: liveOperator('compliance', 'partner') },
    operation: 'suspendApp',
    method: 'POST',
    path: '/platform/apps/:app_id/suspend',
    summary: 'Suspend an app',
    description:
      'Suspends an app. Its credentials are rejected, and it cannot be installed. Its team gets the reason by mail.',
    schema: { params: AppParam, body: ReasonBody, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app }, body, requestId }) => {
      await suspendApp(ptx, { app, actor: caller.actor }, body.reason)
      for (const stop of onStopped) await stop(ptx, { apps: [app], cause: requestId })
      await notify(ptx, { kind: 'app.suspended', app, reason: body.reason })
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  route({
    ...{ tag: 'Platform partners', alias: false, access: liveOperator('compliance', 'partner') },
    operation: 'liftSuspension',
    method: 'POST',
    path: '/platform/apps/:app_id/lift',
    summary: 'Lift a suspension',
    description: 'Lifts the suspension of an app. The app returns to the state that its team had set.',
    schema: { params: AppParam, response: { 200: One(AppRecord) } },
    platform: async ({ ptx, caller, params: { app_id: app } }) => {
      await liftSuspension(ptx, { app, actor: caller.actor })
      await notify(ptx, { kind: 'app.suspension_lifted', app })
      return { status: 200, body: await showApp(ptx, app) }
    },
  }),
  ...approvalRoutes({ notify }),
  ...partnerRoutes({ platform, cursors, findOwners }),
  ...organizationPlatformRoutes({ platform, cursors, onEnded }),
]

type OrganizationRoutesDeps = {
  readonly platform: PlatformDatabase
  readonly cursors: CursorSealer
  readonly onEnded: readonly OnEnded[]
}

const ORGANIZATION_ROUTES_KIND = { kind: 'platform_organizations', version: 1 }

/** Routes by which the operator reads and ends organizations. They are here, because ending an organization stops its apps. */
const organizationPlatformRoutes = ({ platform, cursors, onEnded }: OrganizationRoutesDeps): Route[] => [
  route({
    ...{ tag: 'Platform partners', alias: false, access: operator('viewer', 'partner') },
    operation: 'listOrganizations',
    method: 'GET',
    path: '/platform/organizations',
    summary: 'List organizations',
    description: 'Returns all organizations.',
    schema: { query: PageOnly, response: { 200: listOf(OrganizationRecord) } },
    handler: async ({ query }) => {
      const size = pageSize(query.per_page)
      const [after = ''] = openCursor(cursors, ORGANIZATION_ROUTES_KIND, query.cursor) ?? []
      const rows = await listOrganizations(platform.reads, { after: String(after), limit: size + 1 })
      return {
        status: 200,
        body: page({
          rows,
          size,
          item: organizationRecord,
          next: ({ id }) => cursors.seal(ORGANIZATION_ROUTES_KIND, [id]),
        }),
      }
    },
  }),
  route({
    ...{ tag: 'Platform partners', alias: false, access: operator('viewer', 'partner') },
    operation: 'readOrganization',
    method: 'GET',
    path: '/platform/organizations/:organization_id',
    summary: 'Get an organization',
    description: 'Returns an organization.',
    schema: { params: OrganizationParam, response: { 200: One(OrganizationRecord) } },
    handler: async ({ params }) => ({ status: 200, body: await show(platform.reads, params.organization_id) }),
  }),
  route({
    ...{ tag: 'Platform partners', alias: false, access: liveOperator('admin', 'partner') },
    operation: 'endOrganization',
    method: 'POST',
    path: '/platform/organizations/:organization_id/end',
    summary: 'End an organization’s access',
    description:
      'Ends an organization’s access for good. No credential of its apps works again, and all installations of its apps are revoked.',
    schema: { params: OrganizationParam, body: ReasonBody, response: { 200: One(OrganizationRecord) } },
    platform: async ({ ptx, caller, params: { organization_id: organization }, body, requestId: cause }) => {
      const ending = { organization, actor: caller.actor, reason: body.reason }
      const apps = await endOrganization(ptx, ending)
      for (const hook of onEnded) await hook(ptx, { apps, cause })
      return { status: 200, body: await show(ptx, organization) }
    },
  }),
]

async function show(queries: PlatformQueries, id: Id<'organization'>) {
  const organization = await findOrganization(queries, id)
  if (organization === null) throw notFound(`organization ${id} is unknown`)
  return { data: organizationRecord(organization) }
}

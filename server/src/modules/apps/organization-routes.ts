import { liveOperator, operator } from '#http/access.ts'
import { listOf, openCursor, page, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { One, OrganizationParam, OrganizationRecord, organizationRecord } from '#modules/organizations/http.ts'
import { findOrganization, listOrganizations } from '#modules/organizations/index.ts'
import type { PlatformDatabase, PlatformQueries } from '#system/postgres/database.ts'
import { endOrganization, type OnEnded } from './end-organization.ts'
import { PageOnly, ReasonBody } from './schemas.ts'

type Deps = {
  readonly platform: PlatformDatabase
  readonly cursors: CursorSealer
  readonly onEnded: readonly OnEnded[]
}

const KIND = { kind: 'platform_organizations', version: 1 }

/** The platform's side of an organization. Ending one stops its apps, so it stands here and not with organizations. */
export const organizationPlatformRoutes = ({ platform, cursors, onEnded }: Deps): Route[] => [
  route({
    ...{ tag: 'Platform partners', alias: false, access: operator() },
    operation: 'listOrganizations',
    method: 'GET',
    path: '/platform/organizations',
    summary: 'List organizations',
    description: 'Returns all organizations.',
    schema: { query: PageOnly, response: { 200: listOf(OrganizationRecord) } },
    handler: async ({ query }) => {
      const size = pageSize(query.per_page)
      const [after = ''] = openCursor(cursors, KIND, query.cursor) ?? []
      const rows = await listOrganizations(platform.reads, { after: String(after), limit: size + 1 })
      return {
        status: 200,
        body: page({ rows, size, item: organizationRecord, next: ({ id }) => cursors.seal(KIND, [id]) }),
      }
    },
  }),
  route({
    ...{ tag: 'Platform partners', alias: false, access: operator() },
    operation: 'readOrganization',
    method: 'GET',
    path: '/platform/organizations/:organization_id',
    summary: 'Get an organization',
    description: 'Returns an organization.',
    schema: { params: OrganizationParam, response: { 200: One(OrganizationRecord) } },
    handler: async ({ params }) => ({ status: 200, body: await show(platform.reads, params.organization_id) }),
  }),
  route({
    ...{ tag: 'Platform partners', alias: false, access: liveOperator() },
    operation: 'endOrganization',
    method: 'POST',
    path: '/platform/organizations/:organization_id/end',
    summary: 'End an organization’s access',
    description:
      'Ends an organization’s access for good. No credential of its apps works again, and all its installations are revoked.',
    schema: { params: OrganizationParam, body: ReasonBody, response: { 200: One(OrganizationRecord) } },
    platform: async ({ ptx, caller, params: { organization_id: organization }, body, requestId: cause }) => {
      const ending = { organization, actor: caller.operatorKeyId, reason: body.reason }
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

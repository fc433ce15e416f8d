import { type Static, Type } from 'typebox'
import { PROGRAM_NAMES, REQUEST_KINDS } from '#access/apps/index.ts'
import { OrganizationParam, Resource } from '#access/organizations/http.ts'
import { requireMember } from '#access/organizations/index.ts'
import { signedIn } from '#http/access.ts'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullable, oneOf, time } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { WORLDS } from '#kernel/world.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { listNotices, NOTICE_KINDS, type Notice } from './store.ts'

export { overviewRoutes } from './overview-routes.ts'

type Deps = { readonly platform: PlatformDatabase; readonly cursors: CursorSealer }

const KIND = { kind: 'portal_notices', version: 1 }

/** Notices about endpoints use the same clock as the endpoints' own records. */
const WorldTime = time('UTC, by the clock of the mode’s world.')
const RealTime = time('UTC, real time.')
const Count = Type.Integer({ minimum: 0 })

const StoppedRecord = exactly({
  installs_narrowed: Type.Optional(Count),
  installs_disconnected: Count,
  tokens_revoked: Type.Optional(Count),
  refresh_tokens_revoked: Type.Optional(Count),
  endpoints_disabled: Type.Optional(Count),
})

const NoticeRecord = Resource(
  { id: idOf('notice'), type: 'notice', title: 'Notice' },
  {
    event: oneOf(NOTICE_KINDS),
    app: exactly({ id: idOf('app'), name: Type.String() }),
    mode: nullable(oneOf(WORLDS), 'Null if the notice concerns both modes.'),
    subject: Type.String({ description: 'The id of the webhook endpoint, key or app that the notice is about.' }),
    url: nullable(Type.String(), 'The URL of the webhook endpoint.'),
    failing_since: nullable(WorldTime),
    reason: nullable(Type.String(), 'Why the endpoint was disabled, the app suspended or the request declined.'),
    expires_at: nullable(RealTime, 'When the replaced secret stops working.'),
    scopes: nullable(Type.Array(Type.String()), 'Which scopes were removed.'),
    stopped: nullable(StoppedRecord, 'What ended with a scope or an approval.'),
    request: nullable(oneOf(REQUEST_KINDS), 'The kind of request that the platform declined.'),
    program: nullable(oneOf(PROGRAM_NAMES), 'The program that was granted or declined.'),
    tier: nullable(Type.Integer(), 'The tier that was granted.'),
    version: nullable(Type.String(), 'The version of the usage conditions that was published.'),
    created_at: time('UTC. For a failing or disabled endpoint, by the clock of the mode’s world.'),
  },
)

function noticeRecord(notice: Notice): Static<typeof NoticeRecord> {
  const { id, app, app_name: name, world: mode, kind: event, subject, details, created_at } = notice
  const { url = null, failing_since = null, reason = null, expires_at = null, scopes = null, stopped = null } = details
  const { request = null, program = null, tier = null, version = null } = details
  const about = {
    url,
    failing_since,
    reason,
    expires_at,
    scopes: scopes === null ? null : [...scopes],
    stopped,
    request,
    program,
    tier,
    version,
  }
  return { id, type: 'notice', attributes: { event, app: { id: app, name }, mode, subject, ...about, created_at } }
}

/** Operational notices to a team about its apps. If mail is configured, each notice is also mailed to the team. */
export const noticeRoutes = ({ platform, cursors }: Deps): Route[] => [
  route({
    ...{ tag: 'Portal', alias: false, access: signedIn() },
    operation: 'listNotices',
    method: 'GET',
    path: '/portal/api/organizations/:organization_id/notices',
    summary: 'List notices',
    description: 'Returns the notices to an organization’s team about its apps, newest first.',
    schema: { params: OrganizationParam, query: Type.Object(pageQuery()), response: { 200: listOf(NoticeRecord) } },
    handler: async ({ caller, params: { organization_id: organization }, query }) => {
      await requireMember(platform.reads, { organization, account: caller.accountId })
      const size = pageSize(query.per_page)
      const [before = null] = openCursor(cursors, KIND, query.cursor) ?? []
      const wanted = { before: before === null ? null : String(before), limit: size + 1 }
      const rows = await listNotices(platform.reads, organization, wanted)
      return { status: 200, body: page({ rows, size, item: noticeRecord, next: ({ id }) => cursors.seal(KIND, [id]) }) }
    },
  }),
]

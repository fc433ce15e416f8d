import { Type } from 'typebox'
import { EDITORS, requireTeam } from '#access/apps/index.ts'
import { One, Resource, Time } from '#access/organizations/http.ts'
import { signedIn } from '#http/access.ts'
import { openLastEventId } from '#http/open-streams.ts'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, liveBody, nullable, oneOf } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { Log } from '#system/log.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { countsOf, findRequest, headOf, listRequests, type RequestFilter, type RequestRow } from './store.ts'
import { RequestTails, type TailSettings } from './tail.ts'

export type RequestLogDeps = {
  readonly platform: PlatformDatabase
  readonly cursors: CursorSealer
  readonly log: Pick<Log, 'warn'>
  readonly tailing?: TailSettings | undefined
}

const CREDENTIALS = ['publishable', 'client', 'user', 'installation', 'server_key'] as const
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const mode = oneOf(WORLDS)

const LoggedRequestRecord = Resource(
  { id: idOf('request'), type: 'request', title: 'LoggedRequest' },
  {
    mode,
    started_at: Time,
    method: oneOf(METHODS),
    route: Type.String({
      description: 'The path’s template, for example `/investments/{id}`. Ids and queries are not stored.',
    }),
    status: Type.Integer({ description: '499 if no response was sent, usually because the client disconnected.' }),
    duration_ms: Type.Number(),
    error_type: nullable(Type.String()),
    credential: exactly({
      kind: oneOf(CREDENTIALS),
      key_id: Type.String({ description: 'The key that was sent, or the key with which the token was obtained.' }),
      installation_id: nullable(idOf('installation')),
    }),
  },
)

const AppParam = exactly({ app_id: idOf('app') })
const FILTERS = {
  mode: Type.Optional(mode),
  status: Type.Optional(
    Type.String({
      pattern: '^([1-5]xx|[1-5][0-9][0-9]|error)$',
      description: '`404`, `4xx`, or `error` for 400 and more.',
    }),
  ),
  method: Type.Optional(oneOf(METHODS)),
  route: Type.Optional(Type.String({ maxLength: 200, description: 'The path’s template, like `route` of a record.' })),
  request_id: Type.Optional(idOf('request')),
  credential: Type.Optional(Type.String({ maxLength: 100, description: 'The id of a key or of an installation.' })),
  error_type: Type.Optional(Type.String({ maxLength: 100 })),
  since: Type.Optional(Time),
  until: Type.Optional(Time),
}
const USAGE_QUERY = Type.Object({
  mode: Type.Optional(mode),
  unit: Type.Optional(oneOf(['hour', 'day'], '`hour` by default.')),
})

const Usage = Resource(
  { id: idOf('app'), type: 'app_usage', title: 'AppUsage' },
  {
    unit: oneOf(['hour', 'day']),
    series: Type.Array(
      exactly({
        begins_at: Time,
        requests: Type.Integer(),
        client_errors: Type.Integer({ description: 'Responses with 400 to 499.' }),
        server_errors: Type.Integer({ description: 'Responses with 500 and more.' }),
        unlogged: Type.Integer({
          description: 'Requests that are not in the log, which has a maximum per app and minute.',
        }),
        mean_ms: nullable(Type.Number()),
      }),
      { description: 'Oldest first. Hours or days without a request are left out.' },
    ),
  },
)

/** Hours of a week, and days of a quarter. */
const SERIES_LENGTH = { hour: 168, day: 90 } as const

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const

/** Routes with which an app's team reads the log of the requests that used the app's credentials. */
export function requestLogRoutes(deps: RequestLogDeps): Route[] {
  const { platform, cursors } = deps
  const tails = new RequestTails({ platform, log: deps.log, settings: deps.tailing })
  const requireMember = (account: Id<'account'>, app: Id<'app'>) =>
    requireTeam(platform.reads, { account, app }, EDITORS)
  return [
    route({
      ...portal,
      operation: 'listAppRequests',
      method: 'GET',
      path: '/portal/api/apps/:app_id/requests',
      summary: 'List an app’s API requests',
      description:
        'Returns the logged requests of the last 7 days that were made with the app’s credentials, newest first. Requests beyond the log’s maximum per app and minute are only counted. A request is in the list about a second after its answer. Bodies, queries, ids in paths and secrets are not stored. Times are real time, in the sandbox too.',
      schema: {
        params: AppParam,
        query: Type.Object({ ...pageQuery(), ...FILTERS }),
        response: { 200: listOf(LoggedRequestRecord) },
      },
      handler: async ({ caller, params: { app_id: app }, query }) => {
        await requireMember(caller.accountId, app)
        const kind = { kind: `requests/${app}`, version: 1 }
        const [before = null] = openCursor(cursors, kind, query.cursor) ?? []
        const size = pageSize(query.per_page)
        const range = { before: before === null ? null : Number(before), limit: size + 1 }
        const rows = await listRequests(platform.reads, app, filterOf(query), range)
        const next = ({ position }: RequestRow) => cursors.seal(kind, [position])
        return { status: 200, body: page({ rows, size, item: recordOf, next }) }
      },
    }),
    route({
      ...portal,
      operation: 'streamAppRequests',
      method: 'GET',
      path: '/portal/api/apps/:app_id/requests/stream',
      summary: 'Stream an app’s API requests',
      description:
        'Sends the app’s requests as server-sent events (`text/event-stream`) until the client disconnects. Each event has an `id`: connect again with the last `id` in `Last-Event-ID`, and the stream continues after that event. When the sign-in session ends, the person leaves the team or the server stops, the stream sends an event named `end` and ends.',
      errors: [429, 503],
      contentType: 'text/event-stream',
      schema: {
        params: AppParam,
        query: Type.Object({ ...FILTERS, last_event_id: Type.Optional(Type.String({ maxLength: 1_024 })) }),
        response: { 200: liveBody('Server-sent events; `data` is a LoggedRequest as JSON.') },
      },
      handler: async ({ caller, params: { app_id: app }, query, header }) => {
        await requireMember(caller.accountId, app)
        const kind = { kind: `request_stream/${app}`, version: 1 }
        const sent = header('last-event-id') ?? query.last_event_id
        const [position = null] = openLastEventId(cursors, kind, sent) ?? []
        const filter = filterOf(query)
        const body = tails.open({
          app,
          session: caller.sessionHash,
          from: position === null ? await headOf(platform.reads, app) : Number(position),
          fits: (row) => fits(filter, row),
          record: recordOf,
          seal: (position) => cursors.seal(kind, [position]),
        })
        return { status: 200, body }
      },
    }),
    route({
      ...portal,
      operation: 'getAppRequest',
      method: 'GET',
      path: '/portal/api/apps/:app_id/requests/:request_id',
      summary: 'Get an app’s API request',
      description: 'Returns one request of the app by the request id from the `X-Request-Id` header of its response.',
      schema: {
        params: exactly({ app_id: idOf('app'), request_id: idOf('request') }),
        response: { 200: One(LoggedRequestRecord) },
      },
      handler: async ({ caller, params: { app_id: app, request_id: id } }) => {
        await requireMember(caller.accountId, app)
        const row = await findRequest(platform.reads, app, id)
        if (row === null) throw notFound(`${id} is not in the log of ${app}`)
        return { status: 200, body: { data: recordOf(row) } }
      },
    }),
    route({
      ...portal,
      operation: 'readAppUsage',
      method: 'GET',
      path: '/portal/api/apps/:app_id/usage',
      summary: 'Get an app’s request counts',
      description:
        'Returns how many requests the app made and how many failed: by hour for the last 168 hours, or by day for the last 90 days (UTC).',
      schema: { params: AppParam, query: USAGE_QUERY, response: { 200: One(Usage) } },
      handler: async ({ caller, params: { app_id: app }, query }) => {
        await requireMember(caller.accountId, app)
        const { unit = 'hour', mode: world = null } = query
        const series = await countsOf(platform.reads, app, { unit, mode: world, count: SERIES_LENGTH[unit] })
        return { status: 200, body: { data: { id: app, type: 'app_usage' as const, attributes: { unit, series } } } }
      },
    }),
  ]
}

type Asked = {
  readonly mode?: World
  readonly status?: string
  readonly method?: string
  readonly route?: string
  readonly request_id?: string
  readonly credential?: string
  readonly error_type?: string
  readonly since?: string
  readonly until?: string
}

function filterOf(range: Asked): RequestFilter {
  const { mode: world, status = '', method, route: template, request_id, credential, error_type, since, until } = range
  return {
    mode: world ?? null,
    status: statusesOf(status),
    method: method ?? null,
    // Records contain `/investments/{id}`, like OpenAPI; the table stores the router's `/investments/:id`.
    route: template?.replaceAll(/\{(\w+)\}/g, ':$1') ?? null,
    requestId: request_id ?? null,
    credential: credential ?? null,
    errorType: error_type ?? null,
    since: since ?? null,
    until: until ?? null,
  }
}

/** The lowest and the highest status, both included. */
function statusesOf(status: string): readonly [number, number] {
  if (status === '') return [100, 599]
  if (status === 'error') return [400, 599]
  const hundred = Number(status.charAt(0)) * 100
  return status.endsWith('xx') ? [hundred, hundred + 99] : [Number(status), Number(status)]
}

/** The same conditions as `FITS` in store.ts, for the rows of a stream. */
function fits(filter: RequestFilter, row: RequestRow): boolean {
  const { mode: world, status, method, route: template, requestId, credential, errorType, since, until } = filter
  return (
    (world === null || row.world === world) &&
    row.status >= status[0] &&
    row.status <= status[1] &&
    (method === null || row.method === method) &&
    (template === null || row.route === template) &&
    (requestId === null || row.request_id === requestId) &&
    (credential === null || row.key_id === credential || row.installation_id === credential) &&
    (errorType === null || row.error_type === errorType) &&
    (since === null || Date.parse(row.started_at) >= Date.parse(since)) &&
    (until === null || Date.parse(row.started_at) < Date.parse(until))
  )
}

function recordOf(row: RequestRow) {
  return {
    id: row.request_id,
    type: 'request' as const,
    attributes: {
      mode: row.world,
      started_at: row.started_at,
      method: row.method as (typeof METHODS)[number],
      route: row.route.replaceAll(/:(\w+)/g, '{$1}'),
      status: row.status,
      duration_ms: Math.round(row.duration_ms * 10) / 10,
      error_type: row.error_type,
      credential: { kind: row.credential, key_id: row.key_id, installation_id: row.installation_id },
    },
  }
}

import { Type } from 'typebox'
import { findRequest } from '#access/requests/index.ts'
import { signedIn } from '#http/access.ts'
import { openCursor, pageQuery, pageSize } from '#http/pagination.ts'
import { StoredJson } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, liveBody, nullable } from '#http/schema-fields.ts'
import { notFound } from '#kernel/errors.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { One } from '../endpoints/schemas.ts'
import { type EntryRow, findCause, findCausedEntries, findEntries } from '../stream/read-store.ts'
import { eventPage, pageText, readEvent, wishOf } from '../stream/routes.ts'
import { EventList, EventQuery, EventsQuery, eventSchema, StreamQuery } from '../stream/schemas.ts'
import type { StreamParts, Streams } from '../stream/streams.ts'
import { recordOf } from '../stream/viewer.ts'
import { versionOf } from './delivery-routes.ts'
import { readsOf } from './delivery-store.ts'
import { findDeliveries } from './find-deliveries.ts'
import { AppDeliverySchema, AppParam, appDeliveryRecord, Mode } from './schemas.ts'
import { teamManager } from './team.ts'

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const
const APP = '/portal/api/apps/:app_id'

const mode = Type.Optional(Mode)

const OneAppEvent = One(
  eventSchema(
    {
      request_id: nullable(
        idOf('request'),
        'The app’s own API request that caused the event, while it is in the request log.',
      ),
      deliveries: Type.Array(AppDeliverySchema, {
        description: 'The deliveries of the event to all endpoints of the app, newest first; at most 100.',
      }),
    },
    'AppEvent',
  ),
  'AppEventEnvelope',
)

/** How many deliveries one event shows. */
const DELIVERIES_MAX = 100

/** An app's events for its team, with the same rights as for a token. */
export const portalEventRoutes = ({ databases, cursors }: StreamParts, streams: Streams): Route[] => {
  const { platform } = databases
  return [
    route({
      ...portal,
      operation: 'listAppEvents',
      method: 'GET',
      path: `${APP}/events`,
      summary: 'List an app’s events',
      description:
        'Returns the app’s events of the last 90 days in one mode (`live`, if left out), one for each installation that an event concerns, with the body that a webhook endpoint would get now. Events are stored for apps that declare read:webhooks. A page can end early if few events fit the filters: iterate on has_more.',
      schema: {
        params: AppParam,
        query: Type.Object({ mode, ...EventsQuery.properties }),
        response: { 200: EventList },
      },
      handler: async ({ caller, params: { app_id: app }, query, requestId }) => {
        const manager = await teamManager(platform.reads, { account: caller.accountId, app })
        const db = databases[query.mode ?? 'live']
        const request = { query, version: await versionOf(platform.reads, app), requestId }
        return { status: 200, body: await eventPage({ db, cursors }, { ...manager, world: db.world }, request) }
      },
    }),
    route({
      ...portal,
      operation: 'streamAppEvents',
      errors: [410, 429, 503],
      method: 'GET',
      path: `${APP}/events/stream`,
      summary: 'Stream an app’s events',
      description:
        'Sends the app’s events of one mode (`live`, if left out) as server-sent events (`text/event-stream`) until the client disconnects. Each event has an `id`: connect again with the last id in `Last-Event-ID`, and the stream continues after that event. The stream counts as one of the app’s open event streams. When the session ends or the person leaves the team, the stream sends an event named `end` and stops.',
      contentType: 'text/event-stream',
      schema: {
        params: AppParam,
        query: Type.Object({ mode, ...StreamQuery.properties }),
        response: { 200: liveBody('Server-sent events; `data` is an Event as JSON.') },
      },
      handler: async ({ caller, params: { app_id: app }, query, header }) => {
        const manager = await teamManager(platform.reads, { account: caller.accountId, app })
        const viewer = { ...manager, world: query.mode ?? 'live' }
        const credential = { kind: 'session' as const, session: caller.sessionHash, app }
        const lastEventId = header('last-event-id') ?? query.last_event_id
        return { status: 200, body: await streams.open({ viewer, credential, wish: wishOf(query), lastEventId }) }
      },
    }),
    route({
      ...portal,
      operation: 'getAppEvent',
      method: 'GET',
      path: `${APP}/events/:event_id`,
      summary: 'Get an app’s event',
      description:
        'Returns an event of either mode with the body that a webhook endpoint would get now, its deliveries, and the app’s API request that caused the event. If the event concerns several installations of the app, `installation_id` selects one; without it, the first is shown.',
      schema: {
        params: exactly({ app_id: idOf('app'), event_id: idOf('event') }),
        query: EventQuery,
        response: { 200: OneAppEvent },
      },
      handler: async ({ caller, params: { app_id: app, event_id: id }, query, requestId }) => {
        const manager = await teamManager(platform.reads, { account: caller.accountId, app })
        const db = await worldOf(databases, app, id)
        const record = await readEvent(db, { ...manager, world: db.world }, { id, wish: wishOf(query) })
        const wanted = { app, version: await versionOf(platform.reads, app), before: null, size: DELIVERIES_MAX }
        const { deliveries } = await findDeliveries(readsOf(db), { q: id }, wanted)
        const more = {
          request_id: await requestOf(platform, db, { app, event: id }),
          deliveries: deliveries.map((delivery) => appDeliveryRecord(delivery, db.world)),
        }
        // The record is JSON text that ends with the attributes, so `more` is inserted before the last two braces.
        const whole = `${record.slice(0, -2)},${JSON.stringify(more).slice(1)}}`
        return { status: 200, body: new StoredJson(`{"data":${whole},"meta":{"request_id":"${requestId}"}}`) }
      },
    }),
    route({
      ...portal,
      operation: 'listAppRequestEvents',
      method: 'GET',
      path: `${APP}/requests/:request_id/events`,
      summary: 'List an API request’s events',
      description:
        'Returns the app’s events that one API request caused, oldest first, by the request id from the `X-Request-Id` header of its response. Events that a job or an approval causes later have no request id.',
      schema: {
        params: exactly({ app_id: idOf('app'), request_id: idOf('request') }),
        query: Type.Object({ mode, ...pageQuery() }),
        response: { 200: EventList },
      },
      handler: async ({ caller, params: { app_id: app, request_id: cause }, query, requestId }) => {
        await teamManager(platform.reads, { account: caller.accountId, app })
        const db = databases[query.mode ?? 'live']
        const kind = { kind: `caused_events/${app}/${db.world}/${cause}`, version: 1 }
        const [after = 0] = openCursor(cursors, kind, query.cursor) ?? []
        const size = pageSize(query.per_page)
        const rows = await findCausedEntries(db.reads, app, { cause, after: Number(after), limit: size + 1 })
        const last = rows.length > size ? rows[size - 1] : undefined
        const next = last === undefined ? null : cursors.seal(kind, [last.position])
        return { status: 200, body: pageText(shownOf(rows.slice(0, size), db), next, requestId) }
      },
    }),
  ]
}

/** Leaves out rows whose event the installation may not read now. */
function shownOf(rows: readonly EntryRow[], { world }: WorldDatabase): readonly string[] {
  return rows.map((row) => recordOf(row, world)).filter((record) => record !== null)
}

async function worldOf(
  databases: StreamParts['databases'],
  app: Id<'app'>,
  event: Id<'event'>,
): Promise<WorldDatabase> {
  for (const world of WORLDS) {
    if ((await findEntries(databases[world].reads, app, event)).length > 0) return databases[world]
  }
  throw notFound(`${event} is not an event of ${app}`)
}

/** Null if no logged request of this app caused the event: a team sees only its own app's requests. */
async function requestOf(
  platform: PlatformDatabase,
  { reads }: WorldDatabase,
  { app, event }: { readonly app: Id<'app'>; readonly event: Id<'event'> },
): Promise<Id<'request'> | null> {
  const cause = parseId('request', await findCause(reads, event))
  if (cause === null) return null
  return (await findRequest(platform.reads, app, cause))?.request_id ?? null
}

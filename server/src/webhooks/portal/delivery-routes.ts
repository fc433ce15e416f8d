import { findApp } from '#access/apps/index.ts'
import { signedIn } from '#http/access.ts'
import { openLastEventId } from '#http/open-streams.ts'
import { openCursor, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { liveBody } from '#http/schema-fields.ts'
import { notFound, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { type DeliveryPlace, redeliver, redeliverMany, replay } from '../history/redeliver.ts'
import { readDelivery, replayRange } from '../history/routes.ts'
import { OneReplay, ReplayBody, replayRecord } from '../history/schemas.ts'
import type { StreamParts } from '../stream/streams.ts'
import { findEndpointOf, readsOf, within } from './delivery-store.ts'
import { CATCH_UP_MAX, DeliveryStreams, FOLLOWED } from './delivery-stream.ts'
import { type DeliveryWish, findDeliveries } from './find-deliveries.ts'
import {
  AppDeliveryList,
  AppDeliveryParam,
  AppDeliveryQuery,
  AppDeliveryStreamQuery,
  AppEndpointParam,
  AppParam,
  appDeliveryRecord,
  OneAppDelivery,
  OneAppDeliveryWithPayload,
  OneRedelivery,
  REDELIVERED_MAX,
  RedeliverMany,
  wholeAppDeliveryRecord,
} from './schemas.ts'
import { recordChange, sendingManager, teamManager } from './team.ts'

const portal = { tag: 'Portal', alias: false, access: signedIn() } as const
const PATH = '/portal/api/apps/:app_id/webhook_deliveries'

/** Routes for the team of an app: they list the deliveries to all endpoints of the app, and redeliver them. */
export const portalDeliveryRoutes = ({ databases, cursors, log }: StreamParts): Route[] => {
  const streams = new DeliveryStreams({ databases, log })
  const byFilter = async (tx: PlatformTx, app: Id<'app'>, wish: DeliveryWish, cursor: string | undefined) => {
    const { mode: world = 'live' } = wish
    const kind = cursorKind(app, world)
    const [before = null] = openCursor(cursors, kind, cursor) ?? []
    const at = { before: before === null ? null : String(before), size: REDELIVERED_MAX }
    const found = await findDeliveries(within(tx, world), wish, { app, version: await versionOf(tx, app), ...at })
    const places = found.deliveries.map(({ id: delivery, endpoint_id: id }) => ({ id, delivery }))
    return { places, unknown: [], next: found.next === null ? null : cursors.seal(kind, [found.next]) }
  }
  return [
    route({
      ...portal,
      operation: 'listAppWebhookDeliveries',
      errors: [422],
      method: 'GET',
      path: PATH,
      summary: 'List an app’s webhook deliveries',
      description:
        'Returns the deliveries to all endpoints of the app in one mode (`live`, if left out), newest first: those that are pending, and those that ended in the last 30 days. A page can end early if few deliveries fit the filters: iterate on has_more.',
      schema: { params: AppParam, query: AppDeliveryQuery, response: { 200: AppDeliveryList } },
      handler: async ({ caller, params: { app_id: app }, query, requestId: request_id }) => {
        const { reads } = databases.platform
        await teamManager(reads, { account: caller.accountId, app })
        const db = databases[query.mode ?? 'live']
        const kind = cursorKind(app, db.world)
        const [cursor = null] = openCursor(cursors, kind, query.cursor) ?? []
        const at = { before: cursor === null ? null : String(cursor), size: pageSize(query.per_page) }
        const { deliveries, next } = await findDeliveries(readsOf(db), query, {
          app,
          version: await versionOf(reads, app),
          ...at,
        })
        const data = deliveries.map((delivery) => appDeliveryRecord(delivery, db.world))
        const next_cursor = next === null ? null : cursors.seal(kind, [next])
        const meta = { has_more: next !== null, page_count: data.length, next_cursor, request_id }
        return { status: 200, body: { data, meta } }
      },
    }),
    route({
      ...portal,
      operation: 'streamAppWebhookDeliveries',
      errors: [410, 422, 429, 503],
      method: 'GET',
      path: `${PATH}/stream`,
      summary: 'Stream an app’s webhook deliveries',
      description: `Sends deliveries of one mode (\`live\`, if left out) as server-sent events (\`text/event-stream\`) until the client disconnects. The first event is named \`newest\` and has the newest ${FOLLOWED} deliveries that fit the filters. It includes every delivery that fits from the id in \`since\` on; if \`since\` is null, every delivery that fits. Each later event is a delivery among the newest ${FOLLOWED} that is new or has changed, or an event named \`removed\` with the \`id\` of a delivery that no longer fits the filters. To continue, connect again with the last \`id\` in \`Last-Event-ID\`: \`newest\` then has all deliveries since that one. If these are more than ${CATCH_UP_MAX.toLocaleString('en')}, the response is \`410\`. When the session ends or the person leaves the team, the stream sends an event named \`end\` and stops.`,
      contentType: 'text/event-stream',
      schema: {
        params: AppParam,
        query: AppDeliveryStreamQuery,
        response: { 200: liveBody('Server-sent events; `data` is an AppWebhookDelivery as JSON.') },
      },
      handler: async ({ caller, params: { app_id: app }, query: { last_event_id, ...wish }, header }) => {
        const { reads } = databases.platform
        await teamManager(reads, { account: caller.accountId, app })
        const world = wish.mode ?? 'live'
        const kind = { kind: `delivery_stream/${app}/${world}`, version: 1 }
        const [after = null] = openLastEventId(cursors, kind, header('last-event-id') ?? last_event_id) ?? []
        const body = await streams.open({
          ...{ app, world, wish, session: caller.sessionHash, version: await versionOf(reads, app) },
          after: after === null ? null : String(after),
          seal: (newest) => cursors.seal(kind, [newest]),
        })
        return { status: 200, body }
      },
    }),
    route({
      ...portal,
      operation: 'getAppWebhookDelivery',
      method: 'GET',
      path: `${PATH}/:delivery_id`,
      summary: 'Get an app’s webhook delivery',
      description:
        'Returns a delivery with every attempt and the endpoint’s response to it, and as `payload` the body that the endpoint would receive now. No body is stored, so `payload` contains only data that the installation may read now.',
      schema: { params: AppDeliveryParam, response: { 200: OneAppDeliveryWithPayload } },
      handler: async ({ caller, params: { app_id: app, delivery_id: id }, requestId: request_id }) => {
        const { reads } = databases.platform
        const manager = await teamManager(reads, { account: caller.accountId, app })
        const place = { id: await requireEndpointOf(reads, app, id), delivery: id }
        const { delivery, endpoint, projected } = await readDelivery(databases, manager, place)
        const shown = { ...delivery, endpoint_id: endpoint.id, endpoint_state: endpoint.state }
        return {
          status: 200,
          body: { data: wholeAppDeliveryRecord(shown, endpoint.world, projected), meta: { request_id } },
        }
      },
    }),
    route({
      ...portal,
      operation: 'redeliverAppWebhookDelivery',
      errors: [409, 410],
      method: 'POST',
      path: `${PATH}/:delivery_id/redeliver`,
      summary: 'Redeliver an app’s webhook delivery',
      description: 'Sends the event again as a new delivery. A delivery that is still pending is sent at once instead.',
      schema: { params: AppDeliveryParam, response: { 202: OneAppDelivery } },
      platform: async ({ ptx, caller, params: { app_id: app, delivery_id: id }, requestId: request_id }) => {
        const manager = await sendingManager(ptx, { account: caller.accountId, app }, 'redeliver')
        const place = { id: await requireEndpointOf(ptx, app, id), delivery: id }
        const { delivery, endpoint } = await redeliver(ptx, manager, place)
        const shown = { ...delivery, endpoint_id: endpoint.id, endpoint_state: endpoint.state }
        return { status: 202, body: { data: appDeliveryRecord(shown, endpoint.world), meta: { request_id } } }
      },
    }),
    route({
      ...portal,
      operation: 'redeliverAppWebhookDeliveries',
      errors: [409],
      method: 'POST',
      path: `${PATH}/redeliver`,
      summary: 'Redeliver an app’s webhook deliveries',
      description:
        'Sends up to 100 deliveries again, by their ids or by the filters of the list, newest first. `skipped` lists deliveries that cannot be sent again, each with the reason. While `has_more` is true, repeat the request with the same filter and with `next_cursor` as `cursor`.',
      schema: { params: AppParam, body: RedeliverMany, response: { 202: OneRedelivery } },
      platform: async ({ ptx, caller, params: { app_id: app }, body, requestId: request_id }) => {
        const seat = { account: caller.accountId, app }
        const manager = await sendingManager(ptx, seat, 'redeliver')
        const { ids, filter, cursor } = body
        if ((ids === undefined) === (filter === undefined)) throw oneOfBoth()
        const chosen =
          filter === undefined ? await byIds(ptx, app, ids ?? []) : await byFilter(ptx, app, filter, cursor)
        const done = await redeliverMany(ptx, manager, chosen.places)
        const skipped = [...done.skipped, ...chosen.unknown.map((id) => ({ id, reason: 'not_found' }))]
        await recordChange(ptx, seat, 'redelivered', { accepted: done.accepted, skipped: skipped.length })
        const meta = { has_more: chosen.next !== null, next_cursor: chosen.next, request_id }
        return {
          status: 202,
          body: { data: { type: 'webhook_redelivery' as const, accepted: done.accepted, skipped }, meta },
        }
      },
    }),
    route({
      ...portal,
      operation: 'replayAppWebhookDeliveries',
      errors: [409],
      method: 'POST',
      path: '/portal/api/apps/:app_id/webhook_endpoints/:endpoint_id/replay',
      summary: 'Replay an app’s webhook deliveries',
      description:
        'Sends again the deliveries to one endpoint that were created in a period and have ended, oldest first: all of them, or only those that were not delivered.',
      schema: { params: AppEndpointParam, body: ReplayBody, response: { 202: OneReplay } },
      platform: async ({ ptx, caller, params: { app_id: app, endpoint_id: id }, body, requestId: request_id }) => {
        const seat = { account: caller.accountId, app }
        const manager = await sendingManager(ptx, seat, 'replay')
        const replayed = await replay(ptx, manager, { id, range: replayRange(body) })
        await recordChange(ptx, seat, 'replayed', { endpoint: id, queued: replayed.queued })
        return { status: 202, body: { data: replayRecord(replayed), meta: { request_id } } }
      },
    }),
  ]
}

/** The list and the redelivery by filter accept each other's cursors. */
const cursorKind = (app: Id<'app'>, world: World) => ({ kind: `app_deliveries/${app}/${world}`, version: 1 })

async function byIds(tx: PlatformTx, app: Id<'app'>, ids: readonly Id<'delivery'>[]) {
  const places: DeliveryPlace[] = []
  const unknown: Id<'delivery'>[] = []
  for (const delivery of new Set(ids)) {
    const found = await findEndpointOf(tx, app, delivery)
    if (found === null) unknown.push(delivery)
    else places.push({ id: found.id, delivery })
  }
  return { places, unknown, next: null }
}

function oneOfBoth() {
  const message = 'give either ids or filter'
  return validationError([{ field: 'ids', code: 'one_of', message }])
}

async function requireEndpointOf(queries: PlatformQueries, app: Id<'app'>, delivery: Id<'delivery'>) {
  const found = await findEndpointOf(queries, app, delivery)
  if (found === null) throw notFound(`${delivery} is not a delivery of ${app}`)
  return found.id
}

/** The API version of the app, which decides what a wildcard covers. */
export async function versionOf(queries: PlatformQueries, id: Id<'app'>): Promise<string> {
  const app = await findApp(queries, id)
  if (app === null) throw notFound(`app ${id} is unknown`)
  return app.api_version
}

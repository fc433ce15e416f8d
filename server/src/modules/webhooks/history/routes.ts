import { heldBy } from '#http/access.ts'
import { openCursor, page, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { requireEndpoint } from '../endpoints/lock-endpoint.ts'
import { managerOf } from '../endpoints/manager.ts'
import { EndpointParam } from '../endpoints/schemas.ts'
import { findDelivery, listDeliveries } from './read-store.ts'
import { redeliver, replay } from './redeliver.ts'
import { replayRange } from './replay-range.ts'
import {
  DeliveryList,
  DeliveryParam,
  DeliveryQuery,
  deliveryRecord,
  OneDelivery,
  OneReplay,
  ReplayBody,
  replayRecord,
  wholeDeliveryRecord,
} from './schemas.ts'

export type HistoryRouteDeps = {
  readonly databases: Readonly<Record<World, WorldDatabase>> & { readonly platform: PlatformDatabase }
  readonly cursors: CursorSealer
}

const read = { tag: 'Webhooks', access: heldBy(['user', 'installation', 'server_key'], 'read:webhooks') } as const
const write = { tag: 'Webhooks', access: heldBy(['user', 'installation', 'server_key'], 'write:webhooks') } as const

/** What became of an endpoint's deliveries, and sending them again. */
export const historyRoutes = ({ databases, cursors }: HistoryRouteDeps): Route[] => [
  route({
    ...read,
    operation: 'listWebhookDeliveries',
    method: 'GET',
    path: '/webhook_endpoints/:id/deliveries',
    summary: 'List webhook deliveries',
    description:
      'Returns the deliveries of an endpoint, newest first: those that are pending, and those that ended in the last 30 days.',
    schema: { params: EndpointParam, query: DeliveryQuery, response: { 200: DeliveryList } },
    handler: async ({ caller, params: { id }, query, requestId: request_id }) => {
      const { reads } = databases.platform
      const endpoint = await requireEndpoint(reads, await managerOf(reads, caller), id)
      const kind = { kind: `webhook_deliveries/${id}`, version: 1 }
      const size = pageSize(query.per_page)
      const [before = null] = openCursor(cursors, kind, query.cursor) ?? []
      const at = { before: before === null ? null : String(before), limit: size + 1, state: query.status ?? null }
      const { data, meta } = page({
        rows: await listDeliveries(databases[endpoint.world].reads, id, at),
        size,
        item: (delivery) => deliveryRecord(delivery, endpoint),
        next: (delivery) => cursors.seal(kind, [delivery.id]),
      })
      return { status: 200, body: { data, meta: { ...meta, request_id } } }
    },
  }),
  route({
    ...read,
    operation: 'getWebhookDelivery',
    method: 'GET',
    path: '/webhook_endpoints/:id/deliveries/:delivery_id',
    summary: 'Get a webhook delivery',
    description: 'Returns a delivery with every attempt and the endpoint’s response to it.',
    schema: { params: DeliveryParam, response: { 200: OneDelivery } },
    handler: async ({ caller, params: { id, delivery_id }, requestId: request_id }) => {
      const { reads } = databases.platform
      const endpoint = await requireEndpoint(reads, await managerOf(reads, caller), id)
      const delivery = await findDelivery(databases[endpoint.world].reads, id, delivery_id)
      if (delivery === null) throw notFound(`${delivery_id} is no delivery of ${id}`)
      return { status: 200, body: { data: wholeDeliveryRecord(delivery, endpoint), meta: { request_id } } }
    },
  }),
  route({
    ...write,
    operation: 'redeliverWebhookDelivery',
    errors: [410],
    method: 'POST',
    path: '/webhook_endpoints/:id/deliveries/:delivery_id/redeliver',
    summary: 'Redeliver a webhook delivery',
    description: 'Sends the event again as a new delivery. A delivery that is still pending is sent at once instead.',
    schema: { params: DeliveryParam, response: { 202: OneDelivery } },
    platform: async ({ ptx, caller, params: { id, delivery_id }, requestId: request_id }) => {
      const again = await redeliver(ptx, await managerOf(ptx, caller), { id, delivery: delivery_id })
      return { status: 202, body: { data: wholeDeliveryRecord(again.delivery, again.endpoint), meta: { request_id } } }
    },
  }),
  route({
    ...write,
    operation: 'replayWebhookDeliveries',
    method: 'POST',
    path: '/webhook_endpoints/:id/replay',
    summary: 'Replay webhook deliveries',
    description: 'Sends the deliveries of a period again, all of them or only those that failed, oldest first.',
    schema: { params: EndpointParam, body: ReplayBody, response: { 202: OneReplay } },
    platform: async ({ ptx, caller, params: { id }, body, requestId: request_id }) => {
      const replayed = await replay(ptx, await managerOf(ptx, caller), { id, range: replayRange(body) })
      return { status: 202, body: { data: replayRecord(replayed), meta: { request_id } } }
    },
  }),
]
